package dev.chatflow.client.cli;

import dev.chatflow.client.observe.Limits;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.report.Preamble;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.RunResult;
import dev.chatflow.client.report.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
    Verdict.requireKnownObjectives(plan, options.observing());
    Format format = Format.of(output.format);
    try (Interruption interruption = new Interruption()) {
      surroundings.onInterrupt().accept(interruption::interrupt);
      return call(plan, format, new Execution(surroundings, interruption));
    }
  }

  private int call(Plan plan, Format format, Execution execution) throws InterruptedException {
    if (output.dryRun) {
      surroundings.out().print(Preamble.of(plan, execution.machine(), List.of(), title()));
      return ExitCodes.PASSED;
    }
    List<String> obstacles =
        Limits.here().obstacles(plan.workload().users(), plan.target().urls().size());
    if (!obstacles.isEmpty()) {
      obstacles.forEach(surroundings.err()::println);
      return ExitCodes.USAGE;
    }
    List<ServerHealth> servers = Execution.health(plan, options.patience());
    if (format == Format.TEXT) {
      surroundings.out().println(Preamble.of(plan, execution.machine(), servers, title()));
      surroundings.out().flush();
    }
    for (ServerHealth server : servers) {
      if (!server.healthy()) {
        surroundings.err().println("target " + server.page() + ": " + server.description());
        return ExitCodes.UNREACHABLE;
      }
    }
    Execution.Finished finished = execution.run(plan, options.observing(), output, servers);
    surroundings.out().println(format.render(finished.result()));
    surroundings.out().flush();
    writeFiles(finished, format);
    return finished.result().verdict().exitCode();
  }

  private void writeFiles(Execution.Finished finished, Format format) {
    if (output.out.equals("none")) {
      return;
    }
    RunResult result = finished.result();
    Path directory =
        output.out.isEmpty()
            ? ResultFiles.defaultDirectory(result.record().started(), output.label)
            : Path.of(output.out);
    try {
      ResultFiles.write(
          directory,
          result,
          finished.intervals(),
          spec.commandLine().getParseResult().originalArgs());
      if (format == Format.TEXT) {
        surroundings.out().println("  files          " + directory.resolve("report.html"));
        surroundings.out().flush();
      }
    } catch (IOException e) {
      surroundings.err().println("results not written to " + directory + ": " + e);
    }
  }

  private String title() {
    return Main.version() + "   run \"" + output.label + "\"";
  }
}
