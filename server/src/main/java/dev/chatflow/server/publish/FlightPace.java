package dev.chatflow.server.publish;

/**
 * When a lane may send its next flight.
 *
 * <p>A shard's readers keep up with 400 entries per second from all lanes together, so a lane
 * leaves 2.5 ms between two flights for each active lane. Few full entries cost less CPU per
 * message than many small ones, so when more than 70 % of the machine's CPU is in use, a lane
 * leaves at least a pause that grows to 10 ms at 90 %.
 *
 * <p>The stepping thread asks and sends; any thread reports.
 */
final class FlightPace {

  private static final long ENTRY_NANOS = 2_500_000;
  private static final long BUSY_NANOS = 10_000_000;

  private static final double BUSY_LOAD = 0.7;
  private static final double FULL_LOAD = 0.9;

  /**
   * Number of flights that an idle lane may send without a pause, so that few messages never wait.
   */
  private static final int SAVED_FLIGHTS = 8;

  private volatile long readersNanos = ENTRY_NANOS;
  private volatile long loadNanos;

  // Used only by the stepping thread.
  private long nextNanos;

  /** Returns the time until the next flight; 0 if it is due. */
  long untilNextNanos(long now) {
    return Math.max(0, nextNanos - now);
  }

  /** Notes that a flight is sent. */
  void sent(long now) {
    long pause = Math.max(readersNanos, loadNanos);
    nextNanos = Math.max(nextNanos, now - SAVED_FLIGHTS * pause) + pause;
  }

  /** Notes the number of lanes that publish to the shard, this one included. */
  void activeLanes(int lanes) {
    readersNanos = lanes * ENTRY_NANOS;
  }

  /**
   * Notes how busy the machine is.
   *
   * @param load share of its CPU in use, 0 to 1
   */
  void machineLoad(double load) {
    double busy = Math.clamp((load - BUSY_LOAD) / (FULL_LOAD - BUSY_LOAD), 0, 1);
    loadNanos = (long) (busy * BUSY_NANOS);
  }
}
