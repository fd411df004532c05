package dev.chatflow.client.verify;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The 32 ASCII bytes that start every message text of a run.
 *
 * <p>Layout: {@code ~ run(4) sender(4) seq(6) due-micros(11) crc(6)}, all base 36. The checksum is
 * the low 31 bits (36^6 holds no more) of the CRC-32C of the 26 bytes before it and the text after
 * it.
 *
 * <p>One instance belongs to one thread.
 */
final class Head {
  static final int LENGTH = 32;
  static final int MARK_LENGTH = 5;
  static final int SENDER_AT = 5;
  static final int SEQ_AT = 9;
  static final int DUE_AT = 15;
  static final int CRC_AT = 26;
  private static final int CRC_MASK = 0x7fff_ffff;

  private final byte[] mark;
  private final CRC32C crc = new CRC32C();

  Head(String runId) {
    mark = ("~" + runId).getBytes(StandardCharsets.US_ASCII);
    if (mark.length != MARK_LENGTH) {
      throw new IllegalArgumentException("run id '" + runId + "' must be four ASCII characters");
    }
  }

  byte[] mark() {
    return mark;
  }

  /** Writes the head before the text at {@code at + LENGTH}. */
  void write(byte[] out, int at, int sender, int seq, long dueMicros, int textLength) {
    System.arraycopy(mark, 0, out, at, MARK_LENGTH);
    Base36.write(out, at + SENDER_AT, 4, sender);
    Base36.write(out, at + SEQ_AT, 6, seq);
    Base36.write(out, at + DUE_AT, 11, dueMicros);
    Base36.write(out, at + CRC_AT, 6, checksum(out, at, textLength));
  }

  long checksum(byte[] bytes, int at, int textLength) {
    crc.reset();
    crc.update(bytes, at, CRC_AT);
    crc.update(bytes, at + LENGTH, textLength);
    return crc.getValue() & CRC_MASK;
  }
}
