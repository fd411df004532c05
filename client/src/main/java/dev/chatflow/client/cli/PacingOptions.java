package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Pacing.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the load model. Filled by picocli, then read once. */
final class PacingOptions {
  @Option(
      names = "--model",
      paramLabel = "NAME",
      description =
          "burst, closed or open [default: burst; open with --rate, closed with --in-flight]")
  private Pacing.@Nullable Model model;

  @Option(
      names = {"-R", "--rate"},
      paramLabel = "RATE",
      description = "total messages per second")
  private @Nullable Double rate;

  @Option(
      names = "--stages",
      paramLabel = "RATE:DUR",
      split = ",",
      description = "consecutive rates, such as 1k:10s,5k:30s")
  private List<String> stages = new ArrayList<>();

  @Option(
      names = {"-w", "--in-flight"},
      paramLabel = "N",
      description =
          "maximum unacknowledged messages per user [default: unlimited; closed model: 1]")
  private @Nullable Integer inFlight;

  @Option(
      names = "--arrivals",
      paramLabel = "NAME",
      defaultValue = "constant",
      description = "intervals between messages: constant or poisson [default: ${DEFAULT-VALUE}]")
  private Arrivals arrivals = Arrivals.CONSTANT;

  @Option(
      names = "--msg-frequency",
      paramLabel = "DUR",
      description = "send one message per user and period, as an open schedule")
  private @Nullable Duration period;

  /** The intervals between scheduled messages. */
  enum Arrivals {
    CONSTANT,
    POISSON
  }

  /**
   * Returns the pacing of {@code users} users.
   *
   * @param closed whether the preset has one message in flight per user
   */
  Pacing pacing(int users, boolean closed) {
    Double perSecond = period == null ? rate : Double.valueOf(users * 1e9 / period.toNanos());
    boolean scheduled = perSecond != null || !stages.isEmpty();
    int window = inFlight == null ? Pacing.UNBOUNDED : inFlight;
    Pacing.Model implied =
        scheduled
            ? Pacing.Model.OPEN
            : inFlight != null || closed ? Pacing.Model.CLOSED : Pacing.Model.BURST;
    return switch (model == null ? implied : model) {
      case BURST -> {
        if (scheduled || inFlight != null) {
          throw CommandFailure.usage(
              "--model burst cannot be combined with --rate, --stages or --in-flight");
        }
        yield Pacing.burst();
      }
      case CLOSED -> Pacing.closed(inFlight == null ? 1 : window);
      case OPEN -> open(perSecond, window, arrivals == Arrivals.POISSON);
    };
  }

  /** Returns the total length of the stages; zero without stages. */
  Duration length() {
    return parsed().stream().map(Stage::length).reduce(Duration.ZERO, Duration::plus);
  }

  private Pacing open(@Nullable Double perSecond, int window, boolean poisson) {
    if (perSecond != null && !stages.isEmpty()) {
      throw CommandFailure.usage("--stages cannot be combined with --rate or --msg-frequency");
    }
    if (!stages.isEmpty()) {
      return Pacing.inStages(parsed(), window, poisson);
    }
    if (perSecond == null) {
      throw CommandFailure.usage("--model open needs --rate, --stages or --msg-frequency");
    }
    return Pacing.open(perSecond, window, poisson);
  }

  private List<Stage> parsed() {
    return stages.stream().map(PacingOptions::stage).toList();
  }

  private static Stage stage(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw CommandFailure.usage(
          "--stages must be RATE:DUR,... such as 1k:10s,5k:30s, found " + text);
    }
    return new Stage(
        Values.amount(text.substring(0, colon)), Values.duration(text.substring(colon + 1)));
  }
}
