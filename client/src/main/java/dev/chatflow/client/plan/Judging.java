package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.List;

/**
 * How strictly deliveries are judged.
 *
 * @param allowRetryDuplicates whether a second copy of a message sent again is no failure
 * @param drain how long a run waits for outstanding deliveries while none arrives
 */
public record Judging(
    Level level, Duration drain, boolean allowRetryDuplicates, List<Objective> objectives) {

  /** How much of the ledger is kept. */
  public enum Level {
    OFF,
    COUNT,
    EXACTLY_ONCE,
    TOTAL_ORDER
  }

  public Judging {
    objectives = List.copyOf(objectives);
    if (drain.isNegative()) {
      throw CommandFailure.usage("--drain must not be negative, found " + drain);
    }
  }

  /** Whether each copy is looked for, once and in its turn. */
  public boolean isExact() {
    return level == Level.EXACTLY_ONCE || level == Level.TOTAL_ORDER;
  }
}
