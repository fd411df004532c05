package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whole frames of a room log between two boundaries, readable until the write started with them is
 * done, with the signals that were shown in between.
 *
 * <p>Created by a writer and read by the sink that received it, on one thread at a time.
 */
public final class LogRange {

  /** Large enough for a typical frame; it grows for a larger one. */
  private static final int SCRATCH_BYTES = 1024;

  private final Segment[] segments;
  private final Boundary from;
  private final Boundary to;
  private final List<Signals.Signal> signals;

  /**
   * @param segments the segments that hold the bytes, in order
   */
  LogRange(Segment[] segments, Boundary from, Boundary to) {
    this(segments, from, to, List.of());
  }

  private LogRange(Segment[] segments, Boundary from, Boundary to, List<Signals.Signal> signals) {
    this.segments = segments;
    this.from = from;
    this.to = to;
    this.signals = signals;
  }

  /**
   * Returns the same range with these signals.
   *
   * @param more in order, none after the range
   */
  LogRange with(List<Signals.Signal> more) {
    return more.isEmpty() ? this : new LogRange(segments, from, to, more);
  }

  /** Returns the number of bytes, including frame headers. */
  public int bytes() {
    int ofSignals = 0;
    for (Signals.Signal each : signals) {
      ofSignals += each.frame().remaining();
    }
    return (int) (to.position() - from.position()) + ofSignals;
  }

  public int frames() {
    return (int) (to.frames() - from.frames()) + signals.size();
  }

  /**
   * Returns the bytes of the frames, including their headers, as views that the caller may consume.
   */
  public ByteBuffer[] buffers() {
    List<ByteBuffer> views = new ArrayList<>(segments.length);
    long at = from.position();
    for (Signals.Signal each : signals) {
      addViews(at, each.at().position(), views);
      views.add(each.frame().duplicate());
      at = Math.max(at, each.at().position());
    }
    addViews(at, to.position(), views);
    return views.toArray(ByteBuffer[]::new);
  }

  private void addViews(long start, long end, List<ByteBuffer> views) {
    for (Segment each : segments) {
      if (each.start() < end && start < each.end() && start < end) {
        views.add(each.view(start, end));
      }
    }
  }

  /** Passes the decoded payload of each frame, in order. */
  public void forEachText(Consumer<String> action) {
    long at = from.position();
    for (Signals.Signal each : signals) {
      forEachText(at, each.at().position(), action);
      action.accept(text(each.frame()));
      at = Math.max(at, each.at().position());
    }
    forEachText(at, to.position(), action);
  }

  private static String text(ByteBuffer frame) {
    int header = Frame.headerBytes(frame.get(1));
    return StandardCharsets.UTF_8.decode(frame.duplicate().position(header)).toString();
  }

  private void forEachText(long start, long end, Consumer<String> action) {
    byte[] scratch = new byte[SCRATCH_BYTES];
    long at = start;
    while (at < end) {
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
