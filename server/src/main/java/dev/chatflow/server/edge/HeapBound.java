package dev.chatflow.server.edge;

import java.lang.management.ManagementFactory;

/**
 * How many connections a heap holds, whatever they do, before collections take all of the time.
 *
 * <p>What a connection holds while nothing moves is given. What moves is bounded twice: by the
 * window of each connection, and by the lanes of all; the lower of both counts.
 *
 * @param heapBytes the most the heap may grow to
 * @param usedBytes what lives in it before the first connection: server, embedded broker, other
 *     applications
 * @param laneBytes the bounds of all lanes together
 * @param window messages of one connection under way
 */
public record HeapBound(long heapBytes, long usedBytes, long laneBytes, int window) {

  /** Of the heap, for what lives long: the rest is for what is made and dropped. */
  private static final double SHARE = 0.7;

  /** What a byte in a lane costs, with the objects around it; measured, docs/lab/performance.md. */
  private static final int LANE_FACTOR = 3;

  /** A message of usual length under way, with the objects around it. */
  private static final int MESSAGE_BYTES = 600;

  /** So many are let in however small the heap is: who starts a server wants to talk to it. */
  static final int LEAST = 100;

  /** That of this process as it is now: once collected, so call it once. */
  public static HeapBound now(long laneBytes, int window) {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new HeapBound(Runtime.getRuntime().maxMemory(), used, laneBytes, window);
  }

  /**
   * How many it holds.
   *
   * @param idleBytes what one holds while nothing moves
   */
  public int connections(int idleBytes) {
    double free = SHARE * heapBytes - usedBytes;
    double byWindows = free / (idleBytes + (double) window * MESSAGE_BYTES);
    double byLanes = (free - (double) LANE_FACTOR * laneBytes) / idleBytes;
    return (int) Math.max(LEAST, Math.max(byWindows, byLanes));
  }
}
