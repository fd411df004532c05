package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Whole frames of a room log between two boundaries, readable until the write started with them is
 * done.
 *
 * <p>Created by a writer and read by the sink that received it, on one thread at a time.
 */
public final class LogRange {

  /** Large enough for a typical frame; it grows for a larger one. */
  private static final int SCRATCH_BYTES = 1024;

  private final Segment[] segments;
  private final Boundary from;
  private final Boundary to;

  /**
   * @param segments the segments that hold the bytes, in order
   */
  LogRange(Segment[] segments, Boundary from, Boundary to) {
    this.segments = segments;
    this.from = from;
    this.to = to;
  }

  /** Returns the number of bytes, including frame headers. */
  public int bytes() {
    return (int) (to.position() - from.position());
  }

  public int frames() {
    return (int) (to.frames() - from.frames());
  }

  /**
   * Returns the bytes as stored in the log, including frame headers, as views that the caller may
   * consume.
   */
  public ByteBuffer[] buffers() {
    ByteBuffer[] views = new ByteBuffer[segments.length];
    for (int i = 0; i < views.length; i++) {
      views[i] = segments[i].view(from.position(), to.position());
    }
    return views;
  }

  /** Passes the decoded payload of each frame, in order. */
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

  /** Returns the boundary after the last frame. */
  public Boundary to() {
    return to;
  }

  /** Marks the segments as not reusable: the write was abandoned or ended on a closed sink. */
  public void spoil() {
    for (Segment segment : segments) {
      segment.spoil();
    }
  }
}
