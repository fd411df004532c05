package dev.chatflow.client.cli;

import dev.chatflow.client.analyse.Backlog;
import dev.chatflow.client.analyse.RateSearch;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.report.StepTable;
import dev.chatflow.client.report.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code find-max}: the highest rate that keeps the objectives. */
@Command(
    name = "find-max",
    description = "search the highest rate that keeps the objectives (default delivery.p99<250ms)",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false)
final class FindMaxCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private RunOptions options = new RunOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--from",
      defaultValue = "1k",
      description = "first rate (default ${DEFAULT-VALUE})")
  private double from = 1_000;

  @Option(names = "--precision", defaultValue = "5%", description = "default ${DEFAULT-VALUE}")
  private String precision = "5%";

  @Option(
      names = "--settle",
      defaultValue = "5s",
      description = "not recorded start of a step (default ${DEFAULT-VALUE})")
  private Duration settle = Duration.ofSeconds(5);

  @Option(
      names = "--step",
      defaultValue = "20s",
      description = "recorded part of a step (default ${DEFAULT-VALUE})")
  private Duration measured = Duration.ofSeconds(20);

  FindMaxCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws InterruptedException {
    double gap = Values.share(precision);
    if (!(gap > 0)) {
      throw new InvalidPlan("--precision must be above 0%, found " + precision);
    }
    Plan base = withDefaultObjective(options.plan());
    Verdict.requireKnownObjectives(base, options.observing());
    List<ServerHealth> servers = options.health(base);
    Optional<String> complaint = ServerHealth.complaint(servers);
    if (complaint.isPresent()) {
      surroundings.err().println(complaint.get());
      return ExitCodes.UNREACHABLE;
    }
    try (Interruption interruption = new Interruption()) {
      surroundings.onInterrupt().accept(interruption::interrupt);
      return search(base, gap, servers, interruption);
    }
  }

  private int search(Plan base, double gap, List<ServerHealth> servers, Interruption interruption)
      throws InterruptedException {
    Execution execution = new Execution(surroundings, interruption).with(options.access());
    StepTable table = new StepTable();
    print(StepTable.head(base));
    RateSearch search =
        new RateSearch(
            (rate, confirming) -> {
              if (interruption.isInterrupted()) {
                return RateSearch.Grade.INCONCLUSIVE;
              }
              Duration length = confirming ? measured.multipliedBy(2) : measured;
              Plan plan = base.atRate(rate, settle, length, RunOptions.runId());
              Execution.Finished finished =
                  execution.run(
                      plan, options.observing(), output, servers, output.tag(List.of(), List.of()));
              StepTable.Row row = StepTable.row(rate, finished.result(), growth(finished));
              table.add(row);
              print(row.line(confirming));
              return row.isClientTheLimit()
                  ? RateSearch.Grade.INCONCLUSIVE
                  : row.passes() ? RateSearch.Grade.OK : RateSearch.Grade.FAILED;
            },
            gap);
    RateSearch.Found found = search.from(from);
    print(table.summary(found.highest(), found.confirmed(), found.inconclusive()));
    if (interruption.isInterrupted()) {
      return ExitCodes.INTERRUPTED;
    }
    if (found.inconclusive()) {
      return ExitCodes.SATURATED;
    }
    return found.highest() > 0 ? ExitCodes.PASSED : ExitCodes.OBJECTIVE_MISSED;
  }

  private static double growth(Execution.Finished finished) {
    return Backlog.growthPerSecond(
        finished.run().intervals().rows().stream()
            .filter(row -> row.phase() == Phase.MAIN)
            .map(row -> new Backlog.Point(row.seconds(), row.inFlight()))
            .toList());
  }

  private static Plan withDefaultObjective(Plan plan) {
    boolean given = !plan.judging().objectives().equals(Objective.DEFAULTS);
    return given ? plan : plan.withObjective(Objective.parse("delivery.p99<250ms"));
  }

  private void print(String text) {
    surroundings.out().println(text);
    surroundings.out().flush();
  }
}
