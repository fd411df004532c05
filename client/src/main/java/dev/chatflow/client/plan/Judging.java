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
  /**
   * A bound that a run must keep.
   *
   * @param text as people read it, such as {@code delivery.p99 < 250ms}
   * @param left a figure's name
   * @param right a figure's name or a number; times in microseconds
   */
  public record Objective(String text, String left, String operator, String right) {

    /** Whether the two sides keep the bound. */
    public boolean holds(double leftValue, double rightValue) {
      return switch (operator) {
        case "<" -> leftValue < rightValue;
        case "<=" -> leftValue <= rightValue;
        case ">" -> leftValue > rightValue;
        case ">=" -> leftValue >= rightValue;
        default -> leftValue == rightValue;
      };
    }
  }

  /** How much of the ledger is kept. */
  public enum Level {
    OFF,
    COUNT,
    EXACTLY_ONCE,
    TOTAL_ORDER,
    /** As {@link #TOTAL_ORDER}, and what the order was is kept: 8 bytes a message. */
    KEPT_ORDER
  }

  public Judging {
    objectives = List.copyOf(objectives);
    if (drain.isNegative()) {
      throw CommandFailure.usage("--drain must not be negative, found " + drain);
    }
  }

  /** Whether all members of a room must see one order. */
  public boolean isOrdered() {
    return level == Level.TOTAL_ORDER || level == Level.KEPT_ORDER;
  }

  /** Whether what that order was is asked for after the run. */
  public boolean keepsOrder() {
    return level == Level.KEPT_ORDER;
  }

  /** Whether each copy is looked for, once and in its turn. */
  public boolean isExact() {
    return level == Level.EXACTLY_ONCE || isOrdered();
  }
}
