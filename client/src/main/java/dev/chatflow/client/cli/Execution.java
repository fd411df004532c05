package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.engine.Engine;
import dev.chatflow.client.observe.Limits;
import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Observers;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.observe.OwnProcess;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.Dashboard;
import dev.chatflow.client.report.LiveLine;
import dev.chatflow.client.result.Intervals;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Tokens;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans on this machine for {@code run}, {@code find-max} and {@code sweep}. Belongs to one
 * command.
 */
final class Execution {

  /** A plan and everything that its run needs. */
  record Job(Plan plan, List<ServerHealth> servers, RunResult.Tag tag, Trace trace) {}

  /**
   * A finished run.
   *
   * @param messages passes every message of the run to a sink
   * @param order returns the order in which each room saw its messages
   */
  record Finished(
      StoredRun run,
      Consumer<MessageFigures.Receiver> messages,
      Supplier<Stream<RoomFigures.SeenMessage>> order) {
    RunResult result() {
      return run.result();
    }
  }

  private final Surroundings surroundings;
  private final Interruption interruption;
  private final OutputOptions.Progress progress;
  private final PrintStream notes;
  private final Access access;
  private final @Nullable Tokens tokens;
  private final Observing observing;

  /**
   * Prepares runs.
   *
   * @param notes receives the phases of {@code skier-3phase}
   */
  Execution(
      Surroundings surroundings,
      Interruption interruption,
      RunOptions options,
      OutputOptions.Progress progress,
      PrintStream notes) {
    this.surroundings = surroundings;
    this.interruption = interruption;
    this.progress = progress;
    this.notes = notes;
    access = options.access();
    tokens = options.tokens();
    observing = options.observing();
  }

  /** Returns this machine, with these credentials and tokens for its connections. */
  static Engine.Platform platform(Access access, @Nullable Tokens tokens) {
    return new Engine.Platform(
        seed -> new NioTransport(seed, access),
        OwnProcess::cpuUse,
        Machine::cpu,
        System::nanoTime,
        tokens);
  }

  /**
   * Runs a plan to its end.
   *
   * @throws CommandFailure before the first connection, if this machine has too few descriptors or
   *     ports or the broker cannot be observed; or if no connection could be opened
   */
  Finished run(Job job) throws InterruptedException {
    Plan plan = job.plan;
    Limits.here().require(plan.connections(), plan.target().urls().size());
    boolean open = plan.pacing().model() == Pacing.Model.OPEN;
    Intervals intervals =
        new Intervals(
            System.currentTimeMillis(),
            OwnProcess.cpuNanos(),
            open ? Clock.RESPONSE : Clock.SERVICE);
    Engine engine =
        new Engine(
            plan,
            progress.every(),
            platform(access, tokens),
            job.trace,
            Skier.lines(notes::println));
    interruption.stops(engine::stop);
    try (Observers observers = new Observers(observing, engine::seconds)) {
      observers.start(progress.every());
      Engine.Outcome outcome = run(engine, job, intervals, observers);
      requireConnected(outcome.record().tally());
      Observations seen = observers.finish();
      RunResult result =
          new RunResult(
              plan,
              outcome.record(),
              outcome.findings(),
              Machine.here(),
              job.servers,
              seen,
              job.tag);
      return new Finished(new StoredRun(result, intervals), engine::messages, engine::order);
    }
  }

  private Engine.Outcome run(Engine engine, Job job, Intervals intervals, Observers observers)
      throws InterruptedException {
    LiveLine live =
        new LiveLine(
            surroundings.err(),
            surroundings.progress(),
            job.plan,
            OwnProcess::cpuNanos,
            observers::queueDepth);
    try (Dashboard page = dashboard(job.tag.label(), observers)) {
      Engine.Outcome outcome =
          engine.run((phase, nanos, counted, interval) -> {
            intervals.add(phase, nanos, counted, interval, OwnProcess.cpuNanos());
            if (page != null) {
              page.add(phase, nanos, counted, interval);
            }
            if (!progress.isQuiet()) {
              live.show(phase, nanos, counted, interval);
            }
          });
      live.end();
      return outcome;
    }
  }

  private @Nullable Dashboard dashboard(String label, Observers observers) {
    if (!progress.hasDashboard()) {
      return null;
    }
    Dashboard page = Dashboard.open(label, observers::scraped);
    notes.println("dashboard  " + page.url());
    return page;
  }

  /** Requires at least one connection: a run without any has no result, only a reason. */
  private static void requireConnected(Tally tally) {
    if (tally.of(Count.CONNECTIONS_OPENED) > 0 || tally.of(Count.CONNECTIONS_FAILED) == 0) {
      return;
    }
    String reason =
        tally.failures().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("unknown reason");
    throw new CommandFailure(
        ExitCode.UNREACHABLE, "no connection could be opened: " + reason + Target.hint(reason));
  }
}
