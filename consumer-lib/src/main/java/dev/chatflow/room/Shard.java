package dev.chatflow.room;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One of the K parts into which all rooms are divided: the unit of order, of batching and of
 * placement.
 *
 * <p>The rule is arithmetic, so that a balancer computes it too: a decimal id ({@code 0}, or up to
 * nine digits without a leading zero) belongs to shard {@code value mod K}, any other to {@code
 * CRC-32 of its bytes mod K}.
 *
 * @param index 0 to K - 1
 */
public record Shard(int index) {

  /** K of servers and consumers that are not told another. */
  public static final int DEFAULT_COUNT = 4;

  /** The largest K. */
  public static final int MAX_COUNT = 256;

  private static final int MAX_DECIMAL_DIGITS = 9;

  public Shard {
    if (index < 0) {
      throw new IllegalArgumentException("shard index must not be negative, not " + index);
    }
  }

  /** The shard of a room among {@code shards} in all. */
  public static Shard of(RoomId room, int shards) {
    String id = room.value();
    return new Shard((int) ((isDecimal(id) ? Long.parseLong(id) : crc(id)) % shards));
  }

  private static boolean isDecimal(String id) {
    if (id.length() > MAX_DECIMAL_DIGITS || (id.charAt(0) == '0' && id.length() > 1)) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) { // for every message, twice: no stream
      if (id.charAt(i) < '0' || id.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static long crc(String id) {
    CRC32 crc = new CRC32();
    crc.update(id.getBytes(StandardCharsets.US_ASCII));
    return crc.getValue();
  }
}
