package dev.chatflow.client.verify;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds and reads the head in a received frame, without allocating.
 *
 * <p>The offset of the head depends on the digits of room and user, so the last few offsets are
 * tried before searching. Only the first head of a frame counts. One instance belongs to one
 * thread. The accessors apply to the last frame for which {@link #find} returned true.
 */
public final class FrameScan {
  private static final int GUESSES = 4;
  private static final byte[] REPEAT = "\"duplicate\":true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUIET = "\"quiet\":true".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] SIGNAL =
      "{\"messageType\":\"SIGNAL\"".getBytes(StandardCharsets.US_ASCII);
  private static final int TYPE_AT = 16;

  private final Head head;
  private final byte[] mark;
  private final Texts texts;
  private final byte[] data;
  private final int[] guesses = new int[GUESSES];
  private int sender;
  private int seq;
  private long dueMicros;
  private boolean intact;
  private byte[] frame = {};
  private int headAt;
  private int end;

  /**
   * Creates a scan.
   *
   * @param dataField JSON field that each text must have, after a comma; empty for none
   */
  public FrameScan(String runId, Texts texts, String dataField) {
    data = dataField.getBytes(StandardCharsets.US_ASCII);
    head = new Head(runId);
    mark = head.mark();
    this.texts = texts;
  }

  /** Returns whether the frame {@code bytes[from, to)} is a SIGNAL. */
  public static boolean isSignal(byte[] bytes, int from, int to) {
    int end = from + SIGNAL.length;
    return end <= to
        && bytes[from + TYPE_AT] == 'S' // enough within the protocol; other servers differ
        && Arrays.equals(bytes, from, end, SIGNAL, 0, SIGNAL.length);
  }

  /** Returns whether the frame {@code bytes[from, to)} contains a head of this run. */
  public boolean find(byte[] bytes, int from, int to) {
    int at = guess(bytes, from, to);
    if (at < 0) {
      at = search(bytes, from, to);
      if (at < 0) {
        return false;
      }
    }
    frame = bytes;
    headAt = at;
    end = to;
    read(bytes, at, to);
    intact &= data.length == 0 || bytes[from + TYPE_AT] != 'T' || holds(data);
    return true;
  }

  /** Returns the global number of the sending user; negative if unreadable. */
  public int sender() {
    return sender;
  }

  /** Returns the sequence number; negative if unreadable. */
  public int seq() {
    return seq;
  }

  /** Returns the due time in microseconds since the run's origin. */
  public long dueMicros() {
    return dueMicros;
  }

  /** Returns whether the checksum of head and text is right, and the data of a text is there. */
  public boolean isIntact() {
    return intact;
  }

  /**
   * Returns whether the frame answers a message that was sent again, which has no position in the
   * room. Valid until the caller of {@link #find} reuses its bytes.
   */
  public boolean isRepeat() {
    return holds(REPEAT);
  }

  /**
   * Returns whether the frame is a JOIN or LEAVE of a large room, sent only to its own connection.
   * Valid as long as {@link #isRepeat}.
   */
  public boolean isQuiet() {
    return holds(QUIET);
  }

  private boolean holds(byte[] field) {
    for (int at = headAt; at + field.length <= end; at++) {
      if (frame[at] == field[0]
          && Arrays.equals(frame, at, at + field.length, field, 0, field.length)) {
        return true;
      }
    }
    return false;
  }

  private int guess(byte[] bytes, int from, int to) {
    for (int i = 0; i < GUESSES; i++) {
      int offset = guesses[i];
      int at = from + offset;
      if (at + Head.LENGTH <= to && isMark(bytes, at)) {
        if (i > 0) {
          guesses[i] = guesses[i - 1];
          guesses[i - 1] = offset;
        }
        return at;
      }
    }
    return -1;
  }

  private int search(byte[] bytes, int from, int to) {
    for (int at = from; at + Head.LENGTH <= to; at++) {
      if (bytes[at] == '~' && isMark(bytes, at)) {
        System.arraycopy(guesses, 0, guesses, 1, GUESSES - 1);
        guesses[0] = at - from;
        return at;
      }
    }
    return -1;
  }

  private boolean isMark(byte[] bytes, int at) {
    return bytes[at] == mark[0]
        && bytes[at + 1] == mark[1]
        && bytes[at + 2] == mark[2]
        && bytes[at + 3] == mark[3]
        && bytes[at + 4] == mark[4];
  }

  private void read(byte[] bytes, int at, int to) {
    sender = (int) Base36.read(bytes, at + Head.SENDER_AT, 4);
    seq = (int) Base36.read(bytes, at + Head.SEQ_AT, 6);
    dueMicros = Base36.read(bytes, at + Head.DUE_AT, 11);
    long crc = Base36.read(bytes, at + Head.CRC_AT, 6);
    int length = textLength(bytes, at + Head.LENGTH, to);
    intact = length >= 0 && sender >= 0 && seq >= 0 && crc == head.checksum(bytes, at, length);
  }

  /**
   * Returns the length of the text: the sent length if a quote follows, else up to the next quote.
   */
  private int textLength(byte[] bytes, int text, int to) {
    if (sender >= 0 && seq >= 0) {
      int expected = texts.of(sender, seq).length;
      if (text + expected < to && bytes[text + expected] == '"') {
        return expected;
      }
    }
    for (int i = text; i < to; i++) {
      if (bytes[i] == '"') {
        return i - text;
      }
    }
    return -1;
  }
}
