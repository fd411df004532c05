package dev.chatflow.client.plan;

/**
 * When a user may send: as fast as its socket takes, a window at a time, or by a schedule.
 *
 * @param ratePerSecond sends per second of the whole run; only the open model has one
 * @param window messages of one user without own echo; {@link #UNBOUNDED} when not limited
 */
public record Pacing(Model model, double ratePerSecond, int window, boolean poisson) {
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  /** The three load models. */
  public enum Model {
    BURST,
    CLOSED,
    OPEN
  }

  public Pacing {
    InvalidPlan.requireRange("--in-flight", window, 1, UNBOUNDED);
    if (model == Model.OPEN && !(ratePerSecond > 0 && ratePerSecond <= 100_000_000)) {
      throw new InvalidPlan("--rate must be above 0 and at most 100m, found " + ratePerSecond);
    }
  }

  public static Pacing burst() {
    return new Pacing(Model.BURST, 0, UNBOUNDED, false);
  }

  public static Pacing closed(int window) {
    return new Pacing(Model.CLOSED, 0, window, false);
  }

  public static Pacing open(double ratePerSecond, int window, boolean poisson) {
    return new Pacing(Model.OPEN, ratePerSecond, window, poisson);
  }
}
