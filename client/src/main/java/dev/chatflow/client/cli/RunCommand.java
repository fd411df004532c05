package dev.chatflow.client.cli;

import dev.chatflow.client.observe.Limits;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.report.DeliveryFile;
import dev.chatflow.client.report.MessageFile;
import dev.chatflow.client.report.Preamble;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.Tag;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.report.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
    output.csv();
    try (Interruption interruption = new Interruption()) {
      surroundings.onInterrupt().accept(interruption::interrupt);
      return call(plan, format, new Execution(surroundings, interruption).with(options.access()));
    }
  }

  private int call(Plan plan, Format format, Execution execution) throws InterruptedException {
    if (output.dryRun) {
      surroundings.out().print(Preamble.of(plan, execution.machine(), List.of(), title()));
      return ExitCodes.PASSED;
    }
    List<String> obstacles =
        Limits.here().obstacles(plan.connections(), plan.target().urls().size());
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
    Path directory = output.directory(Instant.now());
    Execution.Finished finished = run(plan, execution, servers, directory);
    surroundings.out().println(format.render(finished.result()));
    if (output.verbose) {
      surroundings.out().println(TextReport.details(finished.result()));
    }
    surroundings.out().flush();
    if (directory != null) {
      writeFiles(finished, directory, format);
    }
    return finished.result().verdict().exitCode();
  }

  private Execution.Finished run(
      Plan plan, Execution execution, List<ServerHealth> servers, @Nullable Path directory)
      throws InterruptedException {
    CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
    Tag tag = output.tag(Origins.withoutSecrets(parsed.originalArgs()), Origins.of(parsed));
    if (directory == null || output.csv() != OutputOptions.Csv.DELIVERIES) {
      return execution.run(plan, options.observing(), output, servers, tag);
    }
    long rows = plan.exact() ? plan.expected().deliveries() + plan.expected().sends() : 0;
    surroundings
        .err()
        .println(
            "--csv deliveries writes a row for each of "
                + (rows == 0
                    ? "the copies"
                    : rows + " messages and copies, about " + rows / 20_000 + " MB unpacked")
                + "; the load threads wait when the disk is slower");
    try {
      Files.createDirectories(directory);
      try (DeliveryFile file =
          new DeliveryFile(directory.resolve("deliveries.csv.gz"), plan.runId())) {
        return execution.run(plan, options.observing(), output, servers, tag, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("deliveries not written to " + directory, e);
    }
  }

  private void writeFiles(Execution.Finished finished, Path directory, Format format) {
    try {
      ResultFiles.write(directory, finished.run());
      if (output.csv() == OutputOptions.Csv.MESSAGES) {
        MessageFile.write(directory, finished.result(), finished.messages());
      }
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
