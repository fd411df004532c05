package dev.chatflow.record;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header in the first 32 characters of a load client's text: {@code ~ run(4) sender(4) seq(6)
 * due-micros(11) crc(6)}, in base 36. The checksum is the low 31 bits of the CRC-32C of the 26
 * characters before it and the text after it.
 *
 * @param messageId the message id that follows from it
 * @param dueMicros when it was due, since the start of its run
 * @param intact whether the text is unchanged
 */
record SentText(String messageId, long dueMicros, boolean intact) {

  private static final Pattern HEAD = Pattern.compile("~[0-9a-z]{31}");
  private static final int SENDER_AT = 5;
  private static final int SEQ_AT = 9;
  private static final int DUE_AT = 15;
  private static final int CRC_AT = 26;
  private static final int LENGTH = 32;
  private static final int RADIX = 36;
  private static final int CRC_MASK = 0x7fff_ffff;

  /** Parses a text; null if no load client has written it. */
  static @Nullable SentText of(String text) {
    if (!HEAD.matcher(text).lookingAt()) {
      return null;
    }
    String id =
        String.join(
            "-",
            text.substring(1, SENDER_AT),
            text.substring(SENDER_AT, SEQ_AT),
            text.substring(SEQ_AT, DUE_AT));
    long due = Long.parseLong(text, DUE_AT, CRC_AT, RADIX);
    CRC32C crc = new CRC32C();
    crc.update(
        (text.substring(0, CRC_AT) + text.substring(LENGTH)).getBytes(StandardCharsets.UTF_8));
    boolean intact = (crc.getValue() & CRC_MASK) == Long.parseLong(text, CRC_AT, LENGTH, RADIX);
    return new SentText(id, due, intact);
  }
}
