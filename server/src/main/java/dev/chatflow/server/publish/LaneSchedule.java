package dev.chatflow.server.publish;

/**
 * The clock work of a lane: what is due when. Times are {@link System#nanoTime}, given by the
 * caller; the lane's thread alone uses it.
 */
final class LaneSchedule {

  private final LaneTiming timing;

  private long nextStart;
  private long nextBeacon;
  private long lingerEnd;

  LaneSchedule(LaneTiming timing, long now) {
    this.timing = timing;
    this.nextStart = now;
    this.nextBeacon = now;
    this.lingerEnd = now + timing.linger().toNanos();
  }

  void flightStarts(long now) {
    nextStart = now + timing.pace().toNanos();
  }

  /** The lane is idle from now on, until the next flight. */
  void flightConfirmed(long now) {
    nextBeacon = now + timing.beaconAfter().toNanos();
    lingerEnd = now + timing.linger().toNanos();
  }

  void beaconConfirmed(long now) {
    nextBeacon = now + timing.beaconEvery().toNanos();
  }

  /** How long the pace still holds the next flight back; 0 when it does not. */
  long untilStart(long now) {
    return Math.max(0, nextStart - now);
  }

  long untilBeacon(long now) {
    return Math.max(0, nextBeacon - now);
  }

  long untilLingerEnd(long now) {
    return Math.max(0, lingerEnd - now);
  }
}
