package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.Version;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.result.Backlog;
import dev.chatflow.client.result.Objectives;
import dev.chatflow.client.result.RateSearch;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.StepTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code find-max}: searches the highest rate that meets the objectives. */
@Command(
    name = "find-max",
    description = "search the highest rate that meets the objectives [default: delivery.p99<250ms]",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false)
final class FindMaxCommand implements Callable<ExitCode> {
  /** Its runs write no files, so that one name is enough. */
  private static final RunResult.Tag TAG =
      new RunResult.Tag("find-max", Version.text(), Map.of(), List.of(), List.of(), Duration.ZERO);

  private final Surroundings surroundings;
  @Mixin private RunOptions options = new RunOptions();
  @Mixin private OutputOptions.Progress progress = new OutputOptions.Progress();

  @Option(
      names = "--from",
      paramLabel = "RATE",
      defaultValue = "1k",
      description = "first rate [default: ${DEFAULT-VALUE}]")
  private double from = 1_000;

  @Option(
      names = "--precision",
      paramLabel = "PCT",
      defaultValue = "5%",
      description = "precision of the result [default:" + " ${DEFAULT-VALUE}]")
  private String precision = "5%";

  @Option(
      names = "--settle",
      paramLabel = "DUR",
      defaultValue = "5s",
      description = "unrecorded start of a step [default: ${DEFAULT-VALUE}]")
  private Duration settle = Duration.ofSeconds(5);

  @Option(
      names = "--step",
      paramLabel = "DUR",
      defaultValue = "20s",
      description = "recorded part of a step [default: ${DEFAULT-VALUE}]")
  private Duration measured = Duration.ofSeconds(20);

  FindMaxCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException {
    double gap = Values.share(precision);
    if (!(gap > 0)) {
      throw CommandFailure.usage("--precision must be above 0%, found " + precision);
    }
    Plan base = withDefaultObjective(options.plan());
    List<ServerHealth> servers = options.health(base);
    ServerHealth.requireHealthy(servers);
    try (Interruption interruption = new Interruption(surroundings)) {
      return search(base, gap, servers, interruption);
    }
  }

  private ExitCode search(
      Plan base, double gap, List<ServerHealth> servers, Interruption interruption)
      throws InterruptedException {
    Execution execution =
        new Execution(surroundings, interruption, options, progress, surroundings.err());
    StepTable table = new StepTable();
    surroundings.print(StepTable.head(base));
    RateSearch.Step step =
        (rate, confirming) -> {
          if (interruption.isInterrupted()) {
            return RateSearch.Grade.INCONCLUSIVE;
          }
          Duration length = confirming ? measured.multipliedBy(2) : measured;
          Plan plan = base.atRate(rate, settle, length, RunOptions.runId());
          Execution.Finished finished =
              execution.run(new Execution.Job(plan, servers, TAG, Trace.NONE));
          StepTable.Row row = StepTable.row(rate, finished.result(), growth(finished));
          table.add(row);
          surroundings.print(row.line(confirming));
          return row.isClientTheLimit()
              ? RateSearch.Grade.INCONCLUSIVE
              : row.passes() ? RateSearch.Grade.OK : RateSearch.Grade.FAILED;
        };
    RateSearch.Found found = new RateSearch(step, gap).from(from);
    surroundings.print(table.summary(found.highest(), found.confirmed(), found.inconclusive()));
    if (interruption.isInterrupted()) {
      return ExitCode.INTERRUPTED;
    }
    return found.inconclusive()
        ? ExitCode.SATURATED
        : found.highest() > 0 ? ExitCode.PASSED : ExitCode.OBJECTIVE_MISSED;
  }

  private static double growth(Execution.Finished finished) {
    return Backlog.growthPerSecond(
        finished.run().intervals().rows().stream()
            .filter(row -> row.phase() == Phase.MAIN)
            .map(row -> new Backlog.Point(row.seconds(), row.inFlight()))
            .toList());
  }

  private static Plan withDefaultObjective(Plan plan) {
    boolean given = !plan.judging().objectives().equals(Objectives.DEFAULTS);
    return given ? plan : plan.withObjective(Objectives.parse("delivery.p99<250ms"));
  }
}
