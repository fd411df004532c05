package dev.chatflow.client.record;

/**
 * CPU time so far of a thread and its process, in nanoseconds.
 *
 * @param processNanos of all threads of the process
 * @param collectionNanos time of the garbage collector's pauses
 * @param threadNanos of the thread itself
 * @param queuedNanos time in which the thread was ready but had no CPU; 0 if unknown
 */
public record CpuUse(long processNanos, long collectionNanos, long threadNanos, long queuedNanos) {
  public static final CpuUse NONE = new CpuUse(0, 0, 0, 0);

  public CpuUse minus(CpuUse earlier) {
    return new CpuUse(
        processNanos - earlier.processNanos,
        collectionNanos - earlier.collectionNanos,
        threadNanos - earlier.threadNanos,
        queuedNanos - earlier.queuedNanos);
  }
}
