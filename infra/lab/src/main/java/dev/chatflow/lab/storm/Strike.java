package dev.chatflow.lab.storm;

import java.time.Duration;
import java.util.Locale;

/**
 * One fault of a schedule.
 *
 * @param at since the beginning; later where the fault before it took longer
 * @param target which of the track's
 * @param lasts from begin to end
 */
public record Strike(Duration at, Track track, int target, Kind kind, Duration lasts) {

  @Override
  public String toString() {
    String length =
        lasts.isZero() ? "" : String.format(Locale.ROOT, ", %.1f s", lasts.toMillis() / 1e3);
    return String.format(
        Locale.ROOT,
        "%7.1f s  %s %d: %s%s",
        at.toMillis() / 1e3,
        track.target(),
        target,
        kind.name(),
        length);
  }
}
