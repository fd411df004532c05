package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.List;

/**
 * When a user may send: as fast as its socket takes, a window at a time, or by a schedule.
 *
 * @param ratePerSecond sends per second of the whole run; only the open model has one; the mean of
 *     the stages
 * @param window messages of one user without own echo; {@link #UNBOUNDED} when not limited
 * @param stages rates one after the other; empty: one rate throughout
 */
public record Pacing(
    Model model, double ratePerSecond, int window, boolean poisson, List<Stage> stages) {
  public static final int UNBOUNDED = Integer.MAX_VALUE;
  static final double MAX_RATE = 100_000_000;

  /** A part of an open schedule: sends per second of the whole run for some time. */
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

  /** When message {@code index} of the whole run is due, in nanoseconds; between indexes too. */
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
