package dev.chatflow.client.plan;

import java.time.Duration;

/** A part of an open schedule: sends per second of the whole run for some time. */
public record Stage(double ratePerSecond, Duration length) {
  public Stage {
    if (!(ratePerSecond > 0 && ratePerSecond <= Pacing.MAX_RATE)) {
      throw new InvalidPlan(
          "--stages must have rates above 0 and at most 100m, found " + ratePerSecond);
    }
    if (!length.isPositive()) {
      throw new InvalidPlan("--stages must have times above 0, found " + length);
    }
  }

  double messages() {
    return ratePerSecond * length.toNanos() / 1e9;
  }
}
