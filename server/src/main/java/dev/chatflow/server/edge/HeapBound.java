package dev.chatflow.server.edge;

import java.lang.management.ManagementFactory;

/**
 * Computes how many connections a heap holds under any load before garbage collection takes all of
 * the time.
 *
 * <p>The memory of an idle connection is given. Memory of messages in flight is bounded by the
 * window of each connection and by all lanes together; the lower bound counts.
 *
 * @param heapBytes maximum size of the heap
 * @param usedBytes live heap before the first connection: server, embedded broker, other
 *     applications
 * @param laneBytes the bounds of all lanes together
 * @param window messages of one connection in flight
 */
public record HeapBound(long heapBytes, long usedBytes, long laneBytes, int window) {

  /** Share of the heap for long-lived objects; the rest is for short-lived ones. */
  private static final double SHARE = 0.7;

  /** Heap bytes per byte in a lane, including objects; measured, see docs/lab/performance.md. */
  private static final int LANE_FACTOR = 3;

  /** Heap bytes of a message of usual length in flight, including objects. */
  private static final int MESSAGE_BYTES = 600;

  /** Minimum number accepted with any heap, so that every server is usable. */
  static final int LEAST = 100;

  /** Returns the live heap of this process. Runs a full collection, so call it once. */
  public static HeapBound now(long laneBytes, int window) {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new HeapBound(Runtime.getRuntime().maxMemory(), used, laneBytes, window);
  }

  /**
   * Returns the number of connections.
   *
   * @param idleBytes heap bytes of an idle connection
   */
  public int connections(int idleBytes) {
    double free = SHARE * heapBytes - usedBytes;
    double byWindows = free / (idleBytes + (double) window * MESSAGE_BYTES);
    double byLanes = (free - (double) LANE_FACTOR * laneBytes) / idleBytes;
    return (int) Math.max(LEAST, Math.max(byWindows, byLanes));
  }
}
