package dev.chatflow.server.publish;

import java.time.Duration;

/**
 * When a lane does what, and how much it may have taken.
 *
 * @param beaconEvery time between two entries of a lane in use
 * @param confirmTimeout how long an attempt may go without a word; does not run while the broker
 *     has stopped taking
 * @param queueBytes bytes taken and not back before senders wait
 */
public record LaneBounds(Duration beaconEvery, Duration confirmTimeout, long queueBytes) {

  public LaneBounds {
    if (!beaconEvery.isPositive() || !confirmTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "times must be positive, not " + beaconEvery + " and " + confirmTimeout);
    }
    if (queueBytes < 1) {
      throw new IllegalArgumentException("queueBytes must be at least 1, not " + queueBytes);
    }
  }
}
