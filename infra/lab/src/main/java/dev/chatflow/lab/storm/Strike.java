package dev.chatflow.lab.storm;

import java.time.Duration;
import java.util.Locale;

/**
 * A fault in a schedule.
 *
 * @param at time since the start; later if the preceding fault took longer
 * @param target number of the track's target
 * @param lasts time from start to end
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
