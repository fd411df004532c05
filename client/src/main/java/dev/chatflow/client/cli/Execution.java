package dev.chatflow.client.cli;

import dev.chatflow.client.engine.Engine;
import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Observers;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.observe.OwnProcess;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.Intervals;
import dev.chatflow.client.report.LiveLine;
import dev.chatflow.client.report.RunResult;
import dev.chatflow.client.report.StoredRun;
import dev.chatflow.client.report.Tag;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs plans on this machine; what {@code run}, {@code find-max} and {@code sweep} share.
 * Stateless.
 */
final class Execution {

  /**
   * A finished run.
   *
   * @param messages hands every message of the run to a sink
   */
  record Finished(StoredRun run, Consumer<MessageFigures.Sink> messages) {
    RunResult result() {
      return run.result();
    }
  }

  private final Surroundings surroundings;
  private final Interruption interruption;
  private Access access = Access.OPEN;
  private final Machine machine = Machine.here();

  Execution(Surroundings surroundings, Interruption interruption) {
    this.surroundings = surroundings;
    this.interruption = interruption;
  }

  /** What the connections of the runs carry. */
  Execution with(Access given) {
    access = given;
    return this;
  }

  Machine machine() {
    return machine;
  }

  Finished run(
      Plan plan, Observing observing, OutputOptions output, List<ServerHealth> servers, Tag tag)
      throws InterruptedException {
    return run(plan, observing, output, servers, tag, Trace.NONE);
  }

  /** Runs a plan; a broker that cannot be asked is told before the first connection. */
  Finished run(
      Plan plan,
      Observing observing,
      OutputOptions output,
      List<ServerHealth> servers,
      Tag tag,
      Trace trace)
      throws InterruptedException {
    Intervals intervals =
        new Intervals(
            System.currentTimeMillis(),
            OwnProcess.cpuNanos(),
            plan.pacing().model() == Pacing.Model.OPEN ? Clock.RESPONSE : Clock.SERVICE);
    Engine engine =
        new Engine(
            plan,
            output.every,
            seed -> new NioTransport(seed, access),
            OwnProcess::cpuUse,
            Machine::cpu,
            trace);
    engine.notes(
        (output.format == Format.SKIER ? surroundings.out() : surroundings.err())::println);
    interruption.stops(engine::stop);
    Observations observations;
    Engine.Outcome outcome;
    try (Observers observers = new Observers(observing, engine::seconds)) {
      observers.start(output.every);
      LiveLine live =
          new LiveLine(
              surroundings.err(),
              surroundings.terminal(),
              plan,
              OwnProcess::cpuNanos,
              observers::queueDepth);
      outcome = run(engine, intervals, live, output.quiet);
      observations = observers.finish();
    } catch (IOException e) {
      throw new InvalidPlan(
          "--broker " + observing.broker() + " cannot be asked: " + e.getMessage());
    }
    RunResult result =
        new RunResult(
            plan, outcome.record(), outcome.findings(), machine, servers, observations, tag);
    return new Finished(new StoredRun(result, intervals), engine::messages);
  }

  private static Engine.Outcome run(
      Engine engine, Intervals intervals, LiveLine live, boolean quiet)
      throws InterruptedException {
    Engine.Outcome outcome =
        engine.run((phase, nanos, progress, interval) -> {
          intervals.add(phase, nanos, progress, interval, OwnProcess.cpuNanos());
          if (!quiet) {
            live.show(phase, nanos, progress, interval);
          }
        });
    live.end();
    return outcome;
  }
}
