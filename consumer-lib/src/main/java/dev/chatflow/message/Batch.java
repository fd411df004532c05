package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines of one shard as one body: separated by newlines, in the order they were added.
 *
 * <p>One thread. At most {@value #MAX_MESSAGES} lines and {@value #MAX_BYTES} bytes; a lane asks
 * {@link #fits} and keeps what does not fit for its next batch.
 */
public final class Batch {

  /** The content type of a body of several lines. */
  public static final String CONTENT_TYPE = "application/x-ndjson";

  /** The most lines in a body. */
  public static final int MAX_MESSAGES = 500;

  /** The most bytes of a body, newlines included: it travels as one AMQP frame of 128 KiB. */
  public static final int MAX_BYTES = 120_000;

  private static final int FIRST_CAPACITY = 4096;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;
  private int size;
  private @Nullable RoomId onlyRoom;

  /** What a body is taken apart with: one line from {@code from} to before {@code to}. */
  @FunctionalInterface
  public interface LineConsumer {
    /** Takes one line, which is not blank. */
    void accept(int from, int to);
  }

  /** Whether {@code line} may still be added. */
  public boolean fits(byte[] line) {
    return size < MAX_MESSAGES && length + separator() + line.length <= MAX_BYTES;
  }

  /** Adds a line, which must fit. */
  public void add(RoomId room, byte[] line) {
    if (!fits(line)) {
      throw new IllegalStateException(
          line.length + " bytes do not fit behind " + size + " lines of " + length + " bytes");
    }
    onlyRoom = size == 0 || room.equals(onlyRoom) ? room : null;
    reserve(separator() + line.length);
    if (size > 0) {
      bytes[length++] = '\n';
    }
    System.arraycopy(line, 0, bytes, length, line.length);
    length += line.length;
    size++;
  }

  /** Begins anew, with the memory of the largest so far. */
  public void clear() {
    length = 0;
    size = 0;
    onlyRoom = null;
  }

  /** Number of lines. */
  public int size() {
    return size;
  }

  /** A copy of the lines, without a newline behind the last. */
  public byte[] body() {
    return Arrays.copyOf(bytes, length);
  }

  /** The room of all lines; null when there are several, or no line. */
  public @Nullable RoomId onlyRoom() {
    return onlyRoom;
  }

  /** Shows the lines of a body in order; blank ones are passed over. */
  public static void forEachLine(byte[] body, LineConsumer action) {
    int from = 0;
    for (int at = 0; at < body.length; at++) {
      if (body[at] == '\n') {
        show(body, from, at, action);
        from = at + 1;
      }
    }
    show(body, from, body.length, action);
  }

  private static void show(byte[] body, int from, int to, LineConsumer action) {
    for (int at = from; at < to; at++) {
      if (body[at] != ' ' && body[at] != '\t' && body[at] != '\r') {
        action.accept(from, to);
        return;
      }
    }
  }

  private int separator() {
    return size == 0 ? 0 : 1;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
