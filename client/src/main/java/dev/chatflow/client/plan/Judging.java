package dev.chatflow.client.plan;

import java.time.Duration;

/**
 * How strictly deliveries are judged.
 *
 * @param drain how long a run waits for outstanding deliveries while none arrives
 */
public record Judging(Level level, Duration drain) {

  /** How much of the ledger is kept. */
  public enum Level {
    OFF,
    COUNT,
    EXACTLY_ONCE,
    TOTAL_ORDER
  }

  public Judging {
    if (drain.isNegative()) {
      throw new InvalidPlan("--drain must not be negative, found " + drain);
    }
  }
}
