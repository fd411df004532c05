package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The body of an entry with several lines of one shard: separated by newlines, in the order they
 * were added.
 *
 * <p>One thread. At most {@value #MAX_MESSAGES} lines and {@value #MAX_BYTES} bytes; a lane checks
 * {@link #fits} and keeps the other lines for its next batch.
 */
public final class Batch {

  /** The content type of a body with several lines. */
  public static final String CONTENT_TYPE = "application/x-ndjson";

  /** Maximum lines in a body. */
  public static final int MAX_MESSAGES = 500;

  /** Maximum bytes of a body, including newlines: it is sent in one AMQP frame of 128 KiB. */
  public static final int MAX_BYTES = 120_000;

  private static final int FIRST_CAPACITY = 4096;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;
  private int size;
  private @Nullable RoomId onlyRoom;

  /** Receives the lines of a body, each from {@code from} to before {@code to}. */
  @FunctionalInterface
  public interface LineConsumer {
    /** Takes one line, which is not blank. */
    void accept(int from, int to);
  }

  /** Returns whether {@code line} can be added. */
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

  /** Clears the batch but keeps its memory. */
  public void clear() {
    length = 0;
    size = 0;
    onlyRoom = null;
  }

  /** Returns the number of lines. */
  public int size() {
    return size;
  }

  /** Returns a copy of the lines, without a newline after the last one. */
  public byte[] body() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns the room of all lines; null if there are several rooms, or no line. */
  public @Nullable RoomId onlyRoom() {
    return onlyRoom;
  }

  /** Passes the lines of a body in order; blank ones are skipped. */
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
