package dev.chatflow.room.log;

import org.jspecify.annotations.Nullable;

/**
 * What a room shows, as the bytes of WebSocket frames at absolute positions.
 *
 * <p>One appender: it alone appends and releases. Any number of writers make ranges of what lies
 * before the tail; no lock is taken. A writer may make a range only of what its {@link Cursor}
 * pins, and the appender releases only what no cursor pins: so the slots and segments a writer
 * reads are not changed under it.
 *
 * <p>Bounded in segments, taken on demand; a log that everybody has read holds none.
 */
public final class RoomLog {

  /** Whether an append found space, and if not, what is full. */
  public enum Full {
    NO,
    /** This log: its own bound is reached. */
    LOG,
    /** The consumer thread's share of segments is used up. */
    SHARE
  }

  private static final @Nullable Segment[] NO_SLOTS = {};

  private final SegmentPool pool;
  private final int capacity;
  private final int shift;
  private final byte[] header = new byte[Frame.MAX_HEADER_BYTES];

  // Written by the appender before it publishes a tail; segment i stands in slot i mod length.
  private @Nullable Segment[] slots = NO_SLOTS;

  // The appender's: numbers of the first segment held and of the first not yet taken.
  private long firstHeld;
  private long nextTaken;

  private volatile Boundary tail = Boundary.START;

  public RoomLog(SegmentPool pool, long capacityBytes) {
    this.pool = pool;
    this.shift = Integer.numberOfTrailingZeros(pool.segmentBytes());
    this.capacity = Math.toIntExact(capacityBytes >>> shift);
    if (capacity < 2) {
      throw new IllegalArgumentException("a log needs two segments, not " + capacityBytes + " B");
    }
  }

  /**
   * A range outside of any room, for the test of a transport.
   *
   * @param payloads one text frame each
   */
  public static LogRange rangeOf(byte[]... payloads) {
    int bytes = 0;
    for (byte[] payload : payloads) {
      bytes += payload.length + Frame.MAX_HEADER_BYTES;
    }
    long limit = bytes + 2L * SegmentPool.SEGMENT_BYTES;
    RoomLog log = new RoomLog(new SegmentPool(limit), limit);
    for (byte[] payload : payloads) {
      if (log.append(new Payload(payload)) != Full.NO) {
        throw new IllegalStateException("a log of " + limit + " B is full");
      }
    }
    return log.uncut(Boundary.START, log.tail());
  }

  /** Behind the newest frame. */
  public Boundary tail() {
    return tail;
  }

  public long capacityBytes() {
    return (long) capacity << shift;
  }

  long heldBytes() {
    return (nextTaken - firstHeld) << shift;
  }

  /** Appends one text frame, or nothing when there is no space for it. */
  public Full append(Payload payload) {
    Boundary start = tail;
    int headerBytes = Frame.header(payload.length(), header);
    Boundary end = start.afterFrame(headerBytes + payload.length());
    Full full = reserve(end);
    if (full != Full.NO) {
      return full;
    }
    held(segmentOf(start.position())).frameBegins(start);
    put(start.position(), header, 0, headerBytes);
    put(start.position() + headerBytes, payload.bytes(), payload.offset(), payload.length());
    tail = end;
    return Full.NO;
  }

  private Full reserve(Boundary end) {
    if (end.position() - tail.position() > (long) (capacity - 1) << shift) {
      throw new IllegalArgumentException(
          "frame of " + (end.position() - tail.position()) + " B in a log of " + capacityBytes());
    }
    long needed = segmentOf(end.position() - 1) + 1;
    if (needed - firstHeld > capacity) {
      return Full.LOG;
    }
    if (needed - nextTaken > pool.available()) {
      return Full.SHARE;
    }
    if (slots.length == 0) {
      slots = new @Nullable Segment[capacity];
    }
    while (nextTaken < needed) {
      slots[slot(nextTaken++)] = pool.take();
    }
    return Full.NO;
  }

  private void put(long position, byte[] source, int from, int length) {
    int done = 0;
    while (done < length) {
      int offset = (int) (position + done & pool.segmentBytes() - 1);
      int part = Math.min(length - done, pool.segmentBytes() - offset);
      held(segmentOf(position + done)).put(offset, source, from + done, part);
      done += part;
    }
  }

  /**
   * Gives back every segment that lies wholly before {@code position}, and the last one too when
   * that is the tail.
   *
   * @return whether any was given back
   */
  public boolean release(long position) {
    long keep = position == tail.position() ? nextTaken : Math.min(segmentOf(position), nextTaken);
    boolean any = firstHeld < keep;
    for (; firstHeld < keep; firstHeld++) {
      pool.give(held(firstHeld));
      slots[slot(firstHeld)] = null;
    }
    if (firstHeld == nextTaken) {
      firstHeld = segmentOf(tail.position());
      nextTaken = firstHeld;
    }
    return any;
  }

  /**
   * The frames from one boundary to another, or fewer: a range ends at the first frame of the next
   * segment, so that it is at most a segment and a frame long. By any writer, for what it pins.
   */
  public LogRange range(Boundary from, Boundary limit) {
    return uncut(from, cut(from, limit));
  }

  /** All frames from one boundary to another, however long. */
  LogRange uncut(Boundary from, Boundary to) {
    long first = segmentOf(from.position());
    Segment[] parts = new Segment[(int) (segmentOf(to.position() - 1) - first) + 1];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = held(first + i);
    }
    return new LogRange(parts, shift, from, to);
  }

  private Boundary cut(Boundary from, Boundary limit) {
    long last = segmentOf(limit.position() - 1);
    for (long i = segmentOf(from.position()) + 1; i <= last; i++) {
      Boundary first = held(i).firstFrame();
      if (first != null) {
        return first.atMost(limit);
      }
    }
    return limit;
  }

  private Segment held(long number) {
    Segment segment = slots[slot(number)];
    if (segment == null) {
      throw new IllegalStateException("segment " + number + " is not held");
    }
    return segment;
  }

  private long segmentOf(long position) {
    return position >>> shift;
  }

  private int slot(long number) {
    return (int) (number % capacity);
  }
}
