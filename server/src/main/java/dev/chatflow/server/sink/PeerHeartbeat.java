package dev.chatflow.server.sink;

/**
 * Tells by pings and signs of life whether the peer of one connection is still there.
 *
 * <p>Any thread may call {@link #received}; {@link #beat} is the timer's. Its unit of time is the
 * beat: how long one is, who calls decides.
 */
public final class PeerHeartbeat {

  private final MemberSink sink;
  private volatile boolean heard = true;

  // Used by the timer's thread only.
  private boolean pinged;

  /** Makes the heartbeat of a new connection, whose pings leave by {@code sink}. */
  public PeerHeartbeat(MemberSink sink) {
    this.sink = sink;
  }

  /** The peer showed that it is there, or could not show it. */
  public void received() {
    heard = true;
  }

  /**
   * Sends a ping when nothing was received since the last beat, even if something was sent: a
   * system accepts bytes for a process that is stopped.
   *
   * @return false when the ping of the last beat had no answer, nor any other sign of life
   */
  public boolean beat() {
    boolean silent = !heard;
    boolean lost = silent && pinged;
    heard = false;
    pinged = silent && sink.ping();
    return !lost;
  }
}
