package dev.chatflow.server.publish;

import java.time.Duration;

/**
 * When a lane does what.
 *
 * @param pace flights start at least this far apart
 * @param beaconAfter idle time before the first beacon: uncovers a lost tail
 * @param beaconEvery time between further beacons while the shard is bound
 * @param linger idle time before the shard is unbound
 */
record LaneTiming(Duration pace, Duration beaconAfter, Duration beaconEvery, Duration linger) {

  static LaneTiming of(Duration pace) {
    return new LaneTiming(
        pace, Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(60));
  }
}
