package dev.chatflow.room;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One of the K parts into which all rooms are divided: the unit of order, of batching and of
 * placement.
 *
 * <p>The rule is pure arithmetic, so a balancer can compute it too: a decimal id ({@code 0}, or up
 * to nine digits without a leading zero) is in shard {@code value mod K}, any other in {@code
 * CRC-32 of its bytes mod K}.
 *
 * @param index 0 to K - 1
 */
public record Shard(int index) {

  /** The default K of servers and standalone consumers. */
  public static final int DEFAULT_COUNT = 4;

  /** The largest K. */
  public static final int MAX_COUNT = 256;

  private static final int MAX_DECIMAL_DIGITS = 9;

  public Shard {
    if (index < 0) {
      throw new IllegalArgumentException("shard index must not be negative, not " + index);
    }
  }

  /** Returns the shard of a room among {@code shards}. */
  public static Shard of(RoomId room, int shards) {
    String id = room.value();
    return new Shard((int) ((isDecimal(id) ? Long.parseLong(id) : crc(id)) % shards));
  }

  private static boolean isDecimal(String id) {
    if (id.length() > MAX_DECIMAL_DIGITS || (id.charAt(0) == '0' && id.length() > 1)) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) { // called twice per message, so without a stream
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
