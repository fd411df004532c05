package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.List;

/**
 * The load model: send as fast as the socket accepts, with a window, or by a schedule.
 *
 * @param ratePerSecond total sends per second, only in the open model; the mean of stages
 * @param window maximum unacknowledged messages of a user; {@link #UNBOUNDED} without a limit
 * @param stages consecutive rates; empty for a constant rate
 */
public record Pacing(
    Model model, double ratePerSecond, int window, boolean poisson, List<Stage> stages) {
  public static final int UNBOUNDED = Integer.MAX_VALUE;
  static final double MAX_RATE = 100_000_000;

  /** A stage of an open schedule: total sends per second for some time. */
  public record Stage(double ratePerSecond, Duration length) {
    public Stage {
      if (!(ratePerSecond > 0 && ratePerSecond <= MAX_RATE)) {
        throw CommandFailure.usage(
            "--stages must have rates above 0 and at most 100m, found " + ratePerSecond);
      }
      if (!length.isPositive()) {
        throw CommandFailure.usage("--stages must have times above 0, found " + length);
      }
    }

    double messages() {
      return ratePerSecond * length.toNanos() / 1e9;
    }
  }

  /** The three load models. */
  public enum Model {
    BURST,
    CLOSED,
    OPEN
  }

  public Pacing {
    stages = List.copyOf(stages);
    CommandFailure.requireRange("--in-flight", window, 1, UNBOUNDED);
    if (model == Model.OPEN && !(ratePerSecond > 0 && ratePerSecond <= MAX_RATE)) {
      throw CommandFailure.usage("--rate must be above 0 and at most 100m, found " + ratePerSecond);
    }
  }

  public static Pacing burst() {
    return new Pacing(Model.BURST, 0, UNBOUNDED, false, List.of());
  }

  public static Pacing closed(int window) {
    return new Pacing(Model.CLOSED, 0, window, false, List.of());
  }

  public static Pacing open(double ratePerSecond, int window, boolean poisson) {
    return new Pacing(Model.OPEN, ratePerSecond, window, poisson, List.of());
  }

  public static Pacing inStages(List<Stage> stages, int window, boolean poisson) {
    double messages = stages.stream().mapToDouble(Stage::messages).sum();
    double seconds = stages.stream().mapToLong(stage -> stage.length().toNanos()).sum() / 1e9;
    return new Pacing(Model.OPEN, messages / seconds, window, poisson, stages);
  }

  /**
   * Returns the due time of message {@code index} of the run in nanoseconds; also between indexes.
   */
  public double dueNanos(double index) {
    double left = index;
    double start = 0;
    for (Stage stage : stages) {
      if (left < stage.messages()) {
        return start + left * 1e9 / stage.ratePerSecond();
      }
      left -= stage.messages();
      start += stage.length().toNanos();
    }
    return start
        + left * 1e9 / (stages.isEmpty() ? ratePerSecond : stages.getLast().ratePerSecond());
  }
}
