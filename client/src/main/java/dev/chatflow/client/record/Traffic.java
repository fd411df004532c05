package dev.chatflow.client.record;

/** The traffic of one load thread. Only that thread writes, others read after it has ended. */
public final class Traffic {
  public long reads;
  public long bytesIn;
  public long framesIn;
  public long writes;
  public long bytesOut;
  public long framesOut;
  public long fullSockets;

  /** Idle time. */
  public long waitedNanos;

  /** Adds the traffic of an ended thread. */
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
