package dev.chatflow.client.record;

/**
 * What went over the sockets of one load thread. Plain numbers: only that thread writes, others
 * read after it has ended.
 */
public final class Traffic {
  public long reads;
  public long bytesIn;
  public long framesIn;
  public long writes;
  public long bytesOut;
  public long framesOut;
  public long fullSockets;

  /** Time in which nothing was ready and nothing was done. */
  public long waitedNanos;

  /** Adds the numbers of an ended thread. */
  public void add(Traffic other) {
    reads += other.reads;
    bytesIn += other.bytesIn;
    framesIn += other.framesIn;
    writes += other.writes;
    bytesOut += other.bytesOut;
    framesOut += other.framesOut;
    fullSockets += other.fullSockets;
    waitedNanos += other.waitedNanos;
  }
}
