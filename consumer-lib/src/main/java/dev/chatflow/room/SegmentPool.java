package dev.chatflow.room;

import java.util.ArrayDeque;

/**
 * The segments of one reader thread's room logs, in two sizes: allocated on demand, kept for reuse.
 *
 * <p>Used only by the reader thread; {@link #usedBytes} by any thread. Bounded in bytes, including
 * unused segments; when none is available, the thread closes the member that pins most.
 */
public final class SegmentPool {

  /** Large enough that a write rarely spans more than two. */
  public static final int SEGMENT_BYTES = 64 << 10;

  /** Ratio of large to small segments: the last ten frames of a quiet room fit in a small one. */
  private static final int SMALL_PART = 16;

  private final int largeBytes;
  private final long limitBytes;
  private final ArrayDeque<Segment> freeLarge = new ArrayDeque<>();
  private final ArrayDeque<Segment> freeSmall = new ArrayDeque<>();

  private volatile long taken;
  private long allocated;

  public SegmentPool(long limitBytes) {
    this(limitBytes, SEGMENT_BYTES);
  }

  /**
   * @param limitBytes maximum bytes in use at any time
   * @param largeBytes size of a large segment, a power of two
   */
  public SegmentPool(long limitBytes, int largeBytes) {
    if (Integer.bitCount(largeBytes) != 1) {
      throw new IllegalArgumentException("segment size must be a power of two: " + largeBytes);
    }
    this.largeBytes = largeBytes;
    this.limitBytes = limitBytes;
  }

  int largeBytes() {
    return largeBytes;
  }

  int smallBytes() {
    return Math.max(1, largeBytes / SMALL_PART);
  }

  /** Returns the bytes that are still available. */
  public long available() {
    return limitBytes - taken;
  }

  /** Returns whether so little is left that pasts should be shortened. */
  public boolean isShort() {
    return available() < limitBytes / 8;
  }

  /** Takes a segment for a log's bytes from this position on. */
  Segment take(int size, long position) {
    if (available() < size) {
      throw new IllegalStateException("only " + available() + " B of segments are left");
    }
    count(size);
    Segment segment = free(size).poll();
    if (segment == null) {
      segment = allocate(size);
    }
    segment.beginAt(position);
    return segment;
  }

  private Segment allocate(int size) {
    while (allocated + size > limitBytes) {
      ArrayDeque<Segment> other = free(size == largeBytes ? smallBytes() : largeBytes);
      allocated -= other.pop().size(); // left to the garbage collector
    }
    allocated += size;
    return new Segment(size);
  }

  private ArrayDeque<Segment> free(int size) {
    return size == largeBytes ? freeLarge : freeSmall;
  }

  /** Returns a segment to the pool; a spoiled one is left to the garbage collector. */
  void give(Segment segment) {
    count(-segment.size());
    if (segment.isSpoiled()) {
      allocated -= segment.size();
    } else {
      free(segment.size()).push(segment);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
  private void count(int change) {
    taken += change;
  }

  public long usedBytes() {
    return taken;
  }
}
