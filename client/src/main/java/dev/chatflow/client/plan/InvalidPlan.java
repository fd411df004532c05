package dev.chatflow.client.plan;

/**
 * A value of the plan is out of its range; the message names the option, its range and the value.
 */
public final class InvalidPlan extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidPlan(String message) {
    super(message);
  }

  static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidPlan(name + " must be from " + min + " to " + max + ", found " + value);
    }
  }
}
