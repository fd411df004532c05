package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Whole frames of a room log from one boundary to another, readable until the write that was
 * started with them is done.
 *
 * <p>Made by a writer, read by the sink that got it, on one thread at a time.
 */
public final class LogRange {

  /** Holds a usual frame; a larger one makes it grow. */
  private static final int SCRATCH_BYTES = 1024;

  private final Segment[] segments;
  private final Boundary from;
  private final Boundary to;

  /**
   * @param segments those that hold the bytes, in order
   */
  LogRange(Segment[] segments, Boundary from, Boundary to) {
    this.segments = segments;
    this.from = from;
    this.to = to;
  }

  /** Number of bytes, frame headers included. */
  public int bytes() {
    return (int) (to.position() - from.position());
  }

  /** Number of frames. */
  public int frames() {
    return (int) (to.frames() - from.frames());
  }

  /**
   * The bytes as they stand in the log, frame headers included; views that the caller may consume.
   */
  public ByteBuffer[] buffers() {
    ByteBuffer[] views = new ByteBuffer[segments.length];
    for (int i = 0; i < views.length; i++) {
      views[i] = segments[i].view(from.position(), to.position());
    }
    return views;
  }

  /** The payloads of the frames, in order, decoded. */
  public void forEachText(Consumer<String> action) {
    byte[] scratch = new byte[SCRATCH_BYTES];
    long at = from.position();
    while (at < to.position()) {
      int code = segment(at + 1).get(at + 1) & 0x7f;
      int header = Frame.headerBytes(code);
      int length = code < Frame.TWO_BYTE_LENGTH ? code : number(at + 2, header - 2);
      if (scratch.length < length) {
        scratch = new byte[Math.max(length, 2 * scratch.length)];
      }
      copy(at + header, scratch, length);
      action.accept(new String(scratch, 0, length, StandardCharsets.UTF_8));
      at += header + length;
    }
  }

  private int number(long at, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | (segment(at + i).get(at + i) & 0xff);
    }
    return Math.toIntExact(value);
  }

  private void copy(long at, byte[] target, int length) {
    int done = 0;
    while (done < length) {
      Segment segment = segment(at + done);
      int part = (int) Math.min(length - done, segment.end() - at - done);
      segment.get(at + done, target, done, part);
      done += part;
    }
  }

  private Segment segment(long position) {
    int i = 0;
    while (position >= segments[i].end()) {
      i++;
    }
    return segments[i];
  }

  Boundary from() {
    return from;
  }

  /** Behind its last frame. */
  public Boundary to() {
    return to;
  }

  /** The write was given up or ended on a closed sink: its segments must not be used again. */
  public void spoil() {
    for (Segment segment : segments) {
      segment.spoil();
    }
  }
}
