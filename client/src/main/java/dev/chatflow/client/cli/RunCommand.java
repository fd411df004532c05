package dev.chatflow.client.cli;

import dev.chatflow.client.engine.Engine;
import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.OwnProcess;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.report.Intervals;
import dev.chatflow.client.report.LiveLine;
import dev.chatflow.client.report.Preamble;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.RunResult;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code run}: loads the servers and proves every delivery. */
@Command(
    name = "run",
    description = "load the servers and prove every delivery (default command)",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RunCommand implements Callable<Integer> {
  private static final int STOP_SECONDS = 20;

  private final Surroundings surroundings;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RunOptions options = new RunOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = options.plan();
    Format format = Format.of(output.format);
    Machine machine = Machine.here();
    if (output.dryRun) {
      surroundings.out().print(Preamble.of(plan, machine, List.of(), title()));
      return ExitCodes.PASSED;
    }
    List<ServerHealth> servers = health(plan);
    if (format == Format.TEXT) {
      surroundings.out().println(Preamble.of(plan, machine, servers, title()));
      surroundings.out().flush();
    }
    for (ServerHealth server : servers) {
      if (!server.healthy()) {
        surroundings.err().println("target " + server.page() + ": " + server.description());
        return ExitCodes.UNREACHABLE;
      }
    }
    Intervals intervals = new Intervals(System.currentTimeMillis(), OwnProcess.cpuNanos());
    Engine.Outcome outcome = run(plan, intervals);
    RunResult result =
        new RunResult(
            plan,
            outcome.record(),
            outcome.findings(),
            machine,
            servers,
            output.label,
            Main.version());
    surroundings.out().println(format.render(result));
    surroundings.out().flush();
    writeFiles(result, intervals, format);
    return result.verdict().exitCode();
  }

  private void writeFiles(RunResult result, Intervals intervals, Format format) {
    if (output.out.equals("none")) {
      return;
    }
    Path directory =
        output.out.isEmpty()
            ? ResultFiles.defaultDirectory(result.record().started(), output.label)
            : Path.of(output.out);
    try {
      ResultFiles.write(
          directory, result, intervals, spec.commandLine().getParseResult().originalArgs());
      if (format == Format.TEXT) {
        surroundings.out().println("  files          " + directory.resolve("report.html"));
      }
    } catch (IOException e) {
      surroundings.err().println("results not written to " + directory + ": " + e);
    }
  }

  private Engine.Outcome run(Plan plan, Intervals intervals) throws InterruptedException {
    Engine engine = new Engine(plan, output.every, NioTransport::new, OwnProcess::cpuNanos);
    LiveLine live =
        new LiveLine(surroundings.err(), surroundings.terminal(), plan, OwnProcess::cpuNanos);
    CountDownLatch finished = new CountDownLatch(1);
    surroundings.onInterrupt().accept(() -> interrupt(engine, finished));
    try {
      Engine.Outcome outcome =
          engine.run((phase, nanos, progress, interval) -> {
            intervals.add(phase, nanos, progress, interval, OwnProcess.cpuNanos());
            if (!output.quiet) {
              live.show(phase, nanos, progress, interval);
            }
          });
      live.end();
      return outcome;
    } finally {
      finished.countDown();
    }
  }

  /** Runs in the shutdown hook: lets the run end and report before the process goes. */
  private static void interrupt(Engine engine, CountDownLatch finished) {
    engine.stop();
    try {
      boolean inTime = finished.await(STOP_SECONDS, TimeUnit.SECONDS);
      if (!inTime) {
        Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ServerHealth> health(Plan plan) throws InterruptedException {
    List<ServerHealth> servers = new ArrayList<>();
    for (int server = 0; server < plan.target().urls().size(); server++) {
      servers.add(ServerHealth.await(plan.target().pageOf(server, "/health"), options.patience()));
    }
    return servers;
  }

  private String title() {
    return Main.version() + "   run \"" + output.label + "\"";
  }
}
