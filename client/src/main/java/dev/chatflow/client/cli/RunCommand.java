package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.cli.option.Format;
import dev.chatflow.client.cli.option.Origins;
import dev.chatflow.client.cli.option.OutputOptions;
import dev.chatflow.client.cli.option.RunOptions;
import dev.chatflow.client.compat.ChatFlowGoMessages;
import dev.chatflow.client.compat.ScaleChatDeliveries;
import dev.chatflow.client.observe.machine.Limits;
import dev.chatflow.client.observe.page.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.file.ResultFiles;
import dev.chatflow.client.report.text.Preamble;
import dev.chatflow.client.report.text.TextReport;
import dev.chatflow.client.result.Objectives;
import dev.chatflow.client.result.Tag;
import java.io.IOException;
import java.io.PrintStream;
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
    aliases = "load",
    description = "load the servers and prove every delivery (default command)",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  chatflow-client run ws://host-1:8080/chat ws://host-2:8080/chat",
      "  chatflow-client run --rate 1k -d 60s --slo 'delivery.p99<250ms'",
      "  chatflow-client run --preset warmup-a1 -t 256 --broker amqp://broker"
    })
final class RunCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private RunOptions options = new RunOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException {
    Plan plan = options.plan();
    Objectives.requireKnown(plan, options.observing());
    if (output.isDryRun()) {
      surroundings.print(Preamble.of(plan, List.of(), output.label()));
      return ExitCode.PASSED;
    }
    Limits.here().require(plan.connections(), plan.target().urls().size());
    try (Interruption interruption = new Interruption(surroundings)) {
      return run(plan, new Execution(surroundings, interruption, options, output));
    }
  }

  private ExitCode run(Plan plan, Execution execution) throws InterruptedException {
    List<ServerHealth> servers = options.health(plan);
    if (output.format() == Format.TEXT) {
      surroundings.print(Preamble.of(plan, servers, output.label()));
    }
    ServerHealth.requireHealthy(servers);
    Path directory = output.directory(Instant.now());
    Execution.Finished finished = run(plan, execution, servers, directory);
    surroundings.print(output.format().render(finished.result()));
    if (output.isVerbose()) {
      PrintStream stream = output.format().isForPeople() ? surroundings.out() : surroundings.err();
      stream.println(TextReport.details(finished.result()));
    }
    ExitCode code = finished.result().verdict().exitCode();
    return directory == null || isWritten(finished, directory) ? code : ExitCode.FAILED;
  }

  private Execution.Finished run(
      Plan plan, Execution execution, List<ServerHealth> servers, @Nullable Path directory)
      throws InterruptedException {
    CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
    Tag tag = output.tag(Origins.withoutSecrets(parsed.originalArgs()), Origins.of(parsed));
    if (directory == null || output.rows() != OutputOptions.Rows.DELIVERIES) {
      boolean messages = directory != null && output.rows() == OutputOptions.Rows.MESSAGES;
      Trace trace = messages ? Trace.MESSAGES : Trace.NONE;
      return execution.run(new Execution.Job(plan, servers, tag, trace));
    }
    surroundings.err().println(warning(plan));
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve("deliveries.csv.gz");
      try (ScaleChatDeliveries trace = new ScaleChatDeliveries(file, plan.runId())) {
        return execution.run(new Execution.Job(plan, servers, tag, trace));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("deliveries not written to " + directory, e);
    }
  }

  private static String warning(Plan plan) {
    long rows = plan.exact() ? plan.expected().deliveries() + plan.expected().sends() : 0;
    return "--csv deliveries writes a row for each of "
        + (rows == 0
            ? "the copies"
            : rows + " messages and copies, about " + rows / 20_000 + " MB unpacked")
        + "; the load threads wait when the disk is slower";
  }

  private boolean isWritten(Execution.Finished finished, Path directory) {
    try {
      ResultFiles.write(directory, finished.run());
      Path parent = directory.getParent();
      if (output.isLogged() && parent != null) {
        ResultFiles.log(parent, finished.run());
      }
      if (output.rows() == OutputOptions.Rows.MESSAGES) {
        ChatFlowGoMessages.write(directory, finished.result(), finished.messages());
      }
      if (output.format() == Format.TEXT) {
        surroundings.print("  files          " + directory.resolve("report.html"));
      }
      return true;
    } catch (IOException e) {
      surroundings.err().println("results not written to " + directory + ": " + e);
      return false;
    }
  }
}
