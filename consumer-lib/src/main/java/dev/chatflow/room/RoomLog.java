package dev.chatflow.room;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a room as WebSocket bytes at absolute positions.
 *
 * <p>There is one appender, which also releases and reads the past. Any number of writers make
 * ranges of what is before the tail, without a lock. A writer makes a range only of what its {@link
 * Cursor} pins, and the appender releases only what no cursor pins, so segments do not change while
 * a writer reads them.
 *
 * <p>Bounded in bytes. Segments are allocated on demand: the first ones are small, so that a quiet
 * room costs little. The newest frames, up to their own bound, are the past: they are kept without
 * a cursor while there is space. A log without a past that all members have read holds no segment.
 */
public final class RoomLog {

  /** The result of an append: the bound that was reached, if any. */
  public enum Full {
    NO,
    /** The bound of this log was reached. */
    LOG,
    /** The reader thread's share of segments is used up. */
    SHARE
  }

  private static final Segment[] NO_SEGMENTS = {};

  private final SegmentPool pool;
  private final long capacityBytes;
  private final long pastBytes;
  private final byte[] header = new byte[Frame.MAX_HEADER_BYTES];

  /** In order; the array is replaced, never modified. */
  private volatile Segment[] segments = NO_SEGMENTS;

  private final Tail past = new Tail();

  private volatile Boundary tail = Boundary.START;

  /** Creates a log without a past. */
  public RoomLog(SegmentPool pool, long capacityBytes) {
    this(pool, capacityBytes, 0);
  }

  /**
   * @param capacityBytes maximum size of the log
   * @param pastBytes how much of it is kept after all members have read it; at most half
   */
  public RoomLog(SegmentPool pool, long capacityBytes, long pastBytes) {
    this.pool = pool;
    this.capacityBytes = capacityBytes;
    this.pastBytes = Math.min(pastBytes, capacityBytes / 2);
    if (capacityBytes < 2L * pool.largeBytes()) {
      throw new IllegalArgumentException("a log needs two segments, not " + capacityBytes + " B");
    }
  }

  /**
   * Returns a range outside any room, to test a transport.
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

  /** Returns the boundary after the newest frame. */
  public Boundary tail() {
    return tail;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  long heldBytes() {
    Segment[] held = segments;
    return held.length == 0 ? 0 : held[held.length - 1].end() - held[0].start();
  }

  /** Returns whether it keeps frames that all members have read. */
  public boolean keepsPast() {
    return pastBytes > 0;
  }

  // --- called by the appender

  /** Appends one text frame, or nothing if there is no space for it. */
  public Full append(Payload payload) {
    Boundary start = tail;
    int headerBytes = Frame.header(payload.length(), header);
    Boundary end = start.afterFrame(headerBytes + payload.length());
    Full full = reserve(end);
    if (full != Full.NO) {
      return full;
    }
    int first = indexOf(segments, start.position());
    segments[first].frameBegins(start);
    put(first, start.position(), header, 0, headerBytes);
    put(first, start.position() + headerBytes, payload.bytes(), payload.offset(), payload.length());
    if (keepsPast()) {
      past.add(payload.name(), start);
    }
    tail = end;
    return Full.NO;
  }

  private Full reserve(Boundary end) {
    long frame = end.position() - tail.position();
    if (frame > capacityBytes - pool.largeBytes()) {
      throw new IllegalArgumentException("frame of " + frame + " B in a log of " + capacityBytes);
    }
    Segment[] held = segments;
    long heldEnd = held.length == 0 ? tail.position() : held[held.length - 1].end();
    if (end.position() <= heldEnd) {
      return Full.NO;
    }
    long start = held.length == 0 ? heldEnd : held[0].start();
    long newEnd = heldEnd;
    while (newEnd < end.position()) {
      newEnd += sizeOfNext(newEnd - start);
    }
    if (newEnd - start > capacityBytes) {
      return Full.LOG;
    }
    if (newEnd - heldEnd > pool.available()) {
      return Full.SHARE;
    }
    List<Segment> more = new ArrayList<>(List.of(held));
    for (long at = heldEnd; at < newEnd; at = more.getLast().end()) {
      more.add(pool.take(sizeOfNext(at - start), at));
    }
    segments = more.toArray(Segment[]::new);
    return Full.NO;
  }

  /**
   * Returns the size of the next segment. A log that keeps a past starts small, because it may stay
   * quiet; any other log is soon released.
   */
  private int sizeOfNext(long heldBytes) {
    return keepsPast() && heldBytes < pool.largeBytes() ? pool.smallBytes() : pool.largeBytes();
  }

  private void put(int first, long position, byte[] source, int from, int length) {
    int done = 0;
    for (int i = first; done < length; i++) {
      Segment segment = segments[i];
      int part = (int) Math.min(length - done, segment.end() - position - done);
      if (part > 0) {
        segment.put(position + done, source, from + done, part);
        done += part;
      }
    }
  }

  /** Returns whether a segment could be released if no reader needed any. */
  public boolean isReleasable() {
    past.dropBefore(tail.position() - pastBytes);
    return !isHeldBy(past.position());
  }

  /** Returns whether a reader at this position prevents any release. */
  public boolean isHeldBy(long position) {
    Segment[] held = segments;
    return held.length == 0 || (position < tail.position() && position < held[0].end());
  }

  /**
   * Releases every segment that ends before {@code position} and before the past, and the last one
   * too if no part of it is needed.
   *
   * @return whether any was released
   */
  public boolean release(long position) {
    past.dropBefore(tail.position() - pastBytes);
    return giveBack(Math.min(position, past.position()));
  }

  /**
   * Shortens the past to this many bytes, 0 for none, and releases.
   *
   * @return whether any segment was released
   */
  public boolean shorten(long bytes, long position) {
    past.dropBefore(tail.position() - bytes);
    return release(position);
  }

  private boolean giveBack(long position) {
    Segment[] held = segments;
    int first = 0;
    while (first < held.length && (position >= tail.position() || held[first].end() <= position)) {
      pool.give(held[first++]);
    }
    if (first > 0) {
      Segment[] rest = new Segment[held.length - first];
      System.arraycopy(held, first, rest, 0, rest.length);
      segments = rest;
    }
    return first > 0;
  }

  /** Returns the bytes of the past. */
  public long pastHeld() {
    return Math.max(0, tail.position() - past.position());
  }

  /** Discards the past, because entries may be missing after it. */
  public void forgetPast() {
    past.clear();
  }

  /** Returns whether the log holds nothing. */
  public boolean isEmpty() {
    return segments.length == 0;
  }

  /**
   * Returns the boundary where the frame with this name begins; null if it is not in the past or
   * occurs twice.
   */
  public @Nullable Boundary find(FrameName name) {
    return past.find(name.hash(), at -> name.isOf(text(at)));
  }

  /** Returns the text of the past frame that begins there. */
  public String text(Boundary at) {
    return texts(at, behind(at)).getFirst();
  }

  /** Returns the boundary after the past frame that begins there. */
  public Boundary behind(Boundary at) {
    return past.after(at, tail);
  }

  /**
   * Returns where the last frames before {@code limit} begin: at most this many, and at most
   * {@value Past#MAX_HISTORY_BYTES} bytes; the limit if there are none.
   */
  public Boundary last(int frames, Boundary limit) {
    return past.last(frames, limit, limit.position() - Past.MAX_HISTORY_BYTES);
  }

  /** Returns the texts of the past frames between two boundaries. */
  public List<String> texts(Boundary from, Boundary to) {
    List<String> texts = new ArrayList<>();
    if (from.isBefore(to)) {
      uncut(from, to).forEachText(texts::add);
    }
    return texts;
  }

  // --- called by writers, for what they pin

  /**
   * Returns the frames between two boundaries, or fewer: a range ends at the first frame that
   * starts in a new segment, so it is at most one large segment and one frame long.
   */
  public LogRange range(Boundary from, Boundary limit) {
    return from.isBefore(limit)
        ? uncut(from, cut(from, limit))
        : new LogRange(NO_SEGMENTS, from, from);
  }

  /** Returns all frames between two boundaries, of any length. */
  LogRange uncut(Boundary from, Boundary to) {
    Segment[] held = segments;
    int first = indexOf(held, from.position());
    int end = indexOf(held, to.position() - 1) + 1;
    Segment[] parts = new Segment[end - first];
    System.arraycopy(held, first, parts, 0, parts.length);
    return new LogRange(parts, from, to);
  }

  private Boundary cut(Boundary from, Boundary limit) {
    Segment[] held = segments;
    long most = from.position() + pool.largeBytes();
    Boundary end = null;
    for (int i = indexOf(held, from.position()) + 1; i < held.length; i++) {
      if (held[i].start() >= limit.position()) {
        return limit;
      }
      if (end != null && held[i].start() > most) {
        return end;
      }
      Boundary first = held[i].firstFrame();
      end = first == null ? end : first.atMost(limit);
    }
    return end == null || limit.position() <= most ? limit : end;
  }

  private static int indexOf(Segment[] held, long position) {
    int low = 0;
    int high = held.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (held[middle].end() <= position) {
        low = middle + 1;
      } else if (held[middle].start() > position) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    throw new IllegalStateException("position " + position + " is not held");
  }
}
