package dev.chatflow.room;

import java.util.ArrayDeque;

/**
 * The segments of one consumer thread's room logs, of two sizes: allocated when first needed, kept
 * for reuse.
 *
 * <p>Used by the consumer thread alone; {@link #usedBytes} by any thread. Bounded in bytes, those
 * kept for reuse included; when none is available, the thread closes the member that pins most.
 */
public final class SegmentPool {

  /** Large enough that a write rarely spans more than two. */
  public static final int SEGMENT_BYTES = 64 << 10;

  /** A small segment is this part of a large one: a quiet room's last ten frames fit in it. */
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
   * @param limitBytes how much may be taken at any time
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

  /** Bytes that may still be taken. */
  public long available() {
    return limitBytes - taken;
  }

  /** Whether so small a part of the whole is left that pasts should be shortened. */
  public boolean isShort() {
    return available() < limitBytes / 8;
  }

  /** Takes a segment, for the bytes of a log from this position on. */
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
      allocated -= other.pop().size(); // left to the collector
    }
    allocated += size;
    return new Segment(size);
  }

  private ArrayDeque<Segment> free(int size) {
    return size == largeBytes ? freeLarge : freeSmall;
  }

  /** Takes a segment back; a spoiled one is left to the collector. */
  void give(Segment segment) {
    count(-segment.size());
    if (segment.isSpoiled()) {
      allocated -= segment.size();
    } else {
      free(segment.size()).push(segment);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void count(int change) {
    taken += change;
  }

  public long usedBytes() {
    return taken;
  }
}
