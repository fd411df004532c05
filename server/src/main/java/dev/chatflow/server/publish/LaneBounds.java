package dev.chatflow.server.publish;

import java.time.Duration;

/**
 * The timing and bounds of a lane.
 *
 * @param beaconEvery time between two entries of a lane in use
 * @param confirmTimeout maximum wait for a confirm; does not run while the broker accepts no
 *     publishes
 * @param queueBytes accepted bytes that are not back before senders wait
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
