package dev.chatflow.client.plan;

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
