package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.List;

/**
 * The rules for judging deliveries.
 *
 * @param allowRetryDuplicates whether a second copy of a resent message is allowed
 * @param drain maximum time without arrivals while deliveries are outstanding
 */
public record Judging(
    Level level, Duration drain, boolean allowRetryDuplicates, List<Objective> objectives) {
  /**
   * An objective of a run.
   *
   * @param text the objective for people, such as {@code delivery.p99 < 250ms}
   * @param left a figure's name
   * @param right a figure's name or a number; times in microseconds
   */
  public record Objective(String text, String left, String operator, String right) {

    /** Returns whether the values meet the objective. */
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

  /** The level of verification. */
  public enum Level {
    OFF,
    COUNT,
    EXACTLY_ONCE,
    TOTAL_ORDER,
    /** As {@link #TOTAL_ORDER}; also keeps the order, 8 bytes a message. */
    KEPT_ORDER
  }

  public Judging {
    objectives = List.copyOf(objectives);
    if (drain.isNegative()) {
      throw CommandFailure.usage("--drain must not be negative, found " + drain);
    }
  }

  /** Returns whether all members of a room must see one order. */
  public boolean isOrdered() {
    return level == Level.TOTAL_ORDER || level == Level.KEPT_ORDER;
  }

  /** Returns whether the order is needed after the run. */
  public boolean keepsOrder() {
    return level == Level.KEPT_ORDER;
  }

  /** Returns whether each copy must arrive once and in order. */
  public boolean isExact() {
    return level == Level.EXACTLY_ONCE || isOrdered();
  }
}
