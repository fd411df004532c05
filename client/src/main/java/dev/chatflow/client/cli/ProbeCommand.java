package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.engine.Engine;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code probe}: measures the latency without load with sequential messages on one connection. */
@Command(
    name = "probe",
    description = "measure latency without load: one message at a time on one connection",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class ProbeCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(
      names = {"-m", "--messages"},
      paramLabel = "N",
      defaultValue = "1000",
      description = "number of messages [default: ${DEFAULT-VALUE}]")
  private int messages = 1000;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "N",
      defaultValue = "1000",
      description = "users for whom to predict the throughput [default: ${DEFAULT-VALUE}]")
  private int users = 1000;

  ProbeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException {
    Plan plan =
        new Plan(
            targets.target(),
            new Workload(1, 1, messages, 0, Duration.ZERO, Duration.ZERO),
            Pacing.closed(1),
            Connecting.oneThread(),
            new Judging(Judging.Level.EXACTLY_ONCE, Duration.ofSeconds(10), false, List.of()),
            Disturbance.NONE,
            RunOptions.runId(),
            System.nanoTime());
    ServerHealth.requireHealthy(targets.health(plan.target()));
    Engine engine =
        new Engine(
            plan,
            Duration.ofSeconds(1),
            Execution.platform(targets.access(), targets.tokens()),
            Trace.NONE,
            Wave.Listener.NONE);
    Engine.Outcome outcome = engine.run((_, _, _, _) -> {});
    print(outcome);
    return outcome.findings().isClean(Set.of())
            && outcome.record().tally().of(Count.TEXTS_ECHOED) == messages
        ? ExitCode.PASSED
        : ExitCode.NOT_VERIFIED;
  }

  private void print(Engine.Outcome outcome) {
    Histogram echo = outcome.record().series().of(Series.ECHO, Clock.SERVICE);
    double seconds = outcome.record().windowSeconds();
    double mean = echo.getMean() / 1e3;
    surroundings
        .out()
        .print(
            String.format(
                Locale.ROOT,
                """
                Mean response time: %.3f
                Total execution time (sec): %.3f
                Total actual throughput: %.1f
                min %.3f  p50 %.3f  p95 %.3f  p99 %.3f  p99.9 %.3f  max %.3f ms over %,d messages
                Little's law predicts at most %,.0f msg/s for %,d users with one message in flight each
                """,
                mean,
                seconds,
                seconds == 0 ? 0 : echo.getTotalCount() / seconds,
                echo.getMinValue() / 1e3,
                echo.getValueAtPercentile(50) / 1e3,
                echo.getValueAtPercentile(95) / 1e3,
                echo.getValueAtPercentile(99) / 1e3,
                echo.getValueAtPercentile(99.9) / 1e3,
                echo.getMaxValue() / 1e3,
                echo.getTotalCount(),
                mean == 0 ? 0 : users * 1e3 / mean,
                users));
    surroundings.out().flush();
  }
}
