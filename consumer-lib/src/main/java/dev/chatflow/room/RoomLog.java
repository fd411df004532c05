package dev.chatflow.room;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a room shows, as the bytes of WebSocket frames at absolute positions.
 *
 * <p>One appender: it alone appends, releases and looks into the past. Any number of writers make
 * ranges of what lies before the tail; no lock is taken. A writer may make a range only of what its
 * {@link Cursor} pins, and the appender releases only what no cursor pins: so the segments a writer
 * reads are not changed under it.
 *
 * <p>Bounded in bytes, in segments taken on demand: small ones at first, so that a quiet room costs
 * little. Its newest frames, up to a bound of their own, are its past: kept without anybody's
 * cursor, while there is space. A log without a past that everybody has read holds no segment.
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

  private static final Segment[] NO_SEGMENTS = {};

  private final SegmentPool pool;
  private final long capacityBytes;
  private final long pastBytes;
  private final byte[] header = new byte[Frame.MAX_HEADER_BYTES];

  /** In order; never changed in place. */
  private volatile Segment[] segments = NO_SEGMENTS;

  private final Tail past = new Tail();

  private volatile Boundary tail = Boundary.START;

  /** A log without a past. */
  public RoomLog(SegmentPool pool, long capacityBytes) {
    this(pool, capacityBytes, 0);
  }

  /**
   * @param capacityBytes the most it holds
   * @param pastBytes how much of that is kept when everybody has read it; at most half
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
    return capacityBytes;
  }

  long heldBytes() {
    Segment[] held = segments;
    return held.length == 0 ? 0 : held[held.length - 1].end() - held[0].start();
  }

  /** Whether it keeps what everybody has read. */
  public boolean keepsPast() {
    return pastBytes > 0;
  }

  // --- the appender's side

  /** Appends one text frame, or nothing when there is no space for it. */
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

  /** A log that keeps a past begins small, for it may stay quiet; any other is soon given back. */
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

  /** Whether a segment would be given back if nobody needed anything. */
  public boolean isReleasable() {
    past.dropBefore(tail.position() - pastBytes);
    return !isHeldBy(past.position());
  }

  /** Whether nothing can be given back while somebody needs what is behind this position. */
  public boolean isHeldBy(long position) {
    Segment[] held = segments;
    return held.length == 0 || (position < tail.position() && position < held[0].end());
  }

  /**
   * Gives back every segment that lies wholly before {@code position} and before the past, and the
   * last one too when nothing of it is needed.
   *
   * @return whether any was given back
   */
  public boolean release(long position) {
    past.dropBefore(tail.position() - pastBytes);
    return giveBack(Math.min(position, past.position()));
  }

  /**
   * Shortens the past to so many bytes, 0 for none at all, and releases.
   *
   * @return whether any segment was given back
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

  /** Bytes of its past. */
  public long pastHeld() {
    return Math.max(0, tail.position() - past.position());
  }

  /** Entries may be missing behind what there is: none of it is shown as the past any more. */
  public void forgetPast() {
    past.clear();
  }

  /** Whether nothing is kept for anybody. */
  public boolean isEmpty() {
    return segments.length == 0;
  }

  /** Where the frame of this name begins; null when it is not in the past, or twice. */
  public @Nullable Boundary find(FrameName name) {
    return past.find(name.hash(), at -> name.isOf(text(at)));
  }

  /** The text of the frame that begins there, in the past. */
  public String text(Boundary at) {
    return texts(at, behind(at)).getFirst();
  }

  /** Behind the frame that begins there, in the past. */
  public Boundary behind(Boundary at) {
    return past.after(at, tail);
  }

  /**
   * Where the last frames before {@code limit} begin: at most so many, and at most {@value
   * Past#MAX_HISTORY_BYTES} bytes; the limit when there are none.
   */
  public Boundary last(int frames, Boundary limit) {
    return past.last(frames, limit, limit.position() - Past.MAX_HISTORY_BYTES);
  }

  /** The texts of the frames from one boundary of the past to another. */
  public List<String> texts(Boundary from, Boundary to) {
    List<String> texts = new ArrayList<>();
    if (from.isBefore(to)) {
      uncut(from, to).forEachText(texts::add);
    }
    return texts;
  }

  // --- by any writer, for what it pins

  /**
   * The frames from one boundary to another, or fewer: a range ends at the first frame of a
   * segment, so that it is at most a large segment and a frame long.
   */
  public LogRange range(Boundary from, Boundary limit) {
    return uncut(from, cut(from, limit));
  }

  /** All frames from one boundary to another, however long. */
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
