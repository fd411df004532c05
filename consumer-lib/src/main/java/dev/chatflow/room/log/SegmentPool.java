package dev.chatflow.room.log;

import java.util.ArrayDeque;

/**
 * The segments of one consumer thread's room logs: allocated when first needed, kept for reuse.
 *
 * <p>Used by the consumer thread alone; {@link #bytesTaken} by any thread. Bounded in bytes; when
 * none is available, the thread closes the member that pins most.
 */
public final class SegmentPool {

  /** Large enough that a write rarely spans more than two, small enough for an idle room's tail. */
  public static final int SEGMENT_BYTES = 64 << 10;

  private final int segmentBytes;
  private final int capacity;
  private final ArrayDeque<Segment> free = new ArrayDeque<>();

  private volatile int taken;

  public SegmentPool(long limitBytes) {
    this(limitBytes, SEGMENT_BYTES);
  }

  /**
   * @param limitBytes how much may be taken at any time
   * @param segmentBytes a power of two
   */
  public SegmentPool(long limitBytes, int segmentBytes) {
    if (Integer.bitCount(segmentBytes) != 1) {
      throw new IllegalArgumentException("segment size must be a power of two: " + segmentBytes);
    }
    this.segmentBytes = segmentBytes;
    this.capacity = Math.toIntExact(limitBytes / segmentBytes);
  }

  int segmentBytes() {
    return segmentBytes;
  }

  int available() {
    return capacity - taken;
  }

  Segment take() {
    if (available() == 0) {
      throw new IllegalStateException("all " + capacity + " segments are taken");
    }
    count(1);
    Segment segment = free.poll();
    if (segment == null) {
      return new Segment(segmentBytes);
    }
    segment.reset();
    return segment;
  }

  /** Takes a segment back; a spoiled one is left to the collector. */
  void give(Segment segment) {
    count(-1);
    if (!segment.isSpoiled()) {
      free.push(segment);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void count(int change) {
    taken += change;
  }

  public long bytesTaken() {
    return (long) taken * segmentBytes;
  }
}
