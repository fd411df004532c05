package dev.chatflow.server.sink;

/**
 * Detects with pings and signs of life whether the peer of one connection is lost.
 *
 * <p>Any thread may call {@link #received}; {@link #beat} is called by the timer. Time is measured
 * in beats, whose length the caller decides.
 */
public final class PeerHeartbeat {

  private final MemberSink sink;
  private volatile boolean isActive = true;

  // Used only by the timer's thread.
  private boolean pinged;

  /** Creates the heartbeat of a new connection, whose pings are sent by {@code sink}. */
  public PeerHeartbeat(MemberSink sink) {
    this.sink = sink;
  }

  /** Notes a sign of life, or that none could arrive. */
  public void received() {
    isActive = true;
  }

  /**
   * Sends a ping if nothing was received since the last beat, even if something was sent: a system
   * accepts bytes for a stopped process.
   *
   * @return false if neither an answer to the last beat's ping nor any other sign of life arrived
   */
  public boolean beat() {
    boolean silent = !isActive;
    boolean lost = silent && pinged;
    isActive = false;
    pinged = silent && sink.ping();
    return !lost;
  }
}
