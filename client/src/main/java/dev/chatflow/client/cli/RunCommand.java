package dev.chatflow.client.cli;

import dev.chatflow.client.observe.Limits;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.DeliveryFile;
import dev.chatflow.client.report.MessageFile;
import dev.chatflow.client.report.Preamble;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.Tag;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.report.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  chatflow-client run ws://host-1:8080/chat ws://host-2:8080/chat",
      "  chatflow-client run --rate 1k -d 60s --slo 'delivery.p99<250ms'",
      "  chatflow-client run --preset warmup-a1 -t 256 --broker amqp://broker"
    })
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
    try (Interruption interruption = new Interruption()) {
      surroundings.onInterrupt().accept(interruption::interrupt);
      return call(plan, new Execution(surroundings, interruption).with(options.access()));
    }
  }

  private int call(Plan plan, Execution execution) throws InterruptedException {
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
    List<ServerHealth> servers = options.health(plan);
    if (output.format == Format.TEXT) {
      surroundings.out().println(Preamble.of(plan, execution.machine(), servers, title()));
      surroundings.out().flush();
    }
    Optional<String> complaint = ServerHealth.complaint(servers);
    if (complaint.isPresent()) {
      surroundings.err().println(complaint.get());
      return ExitCodes.UNREACHABLE;
    }
    Path directory = output.directory(Instant.now());
    Execution.Finished finished = run(plan, execution, servers, directory);
    surroundings.out().println(output.format.render(finished.result()));
    if (output.verbose) { // stdout of the other forms is read by programs
      boolean forPeople = output.format == Format.TEXT || output.format == Format.SEED;
      PrintStream stream = forPeople ? surroundings.out() : surroundings.err();
      stream.println(TextReport.details(finished.result()));
    }
    surroundings.out().flush();
    if (directory != null) {
      writeFiles(finished, directory);
    }
    return finished.result().verdict().exitCode();
  }

  private Execution.Finished run(
      Plan plan, Execution execution, List<ServerHealth> servers, @Nullable Path directory)
      throws InterruptedException {
    CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
    Tag tag = output.tag(Origins.withoutSecrets(parsed.originalArgs()), Origins.of(parsed));
    if (directory == null || output.csv != OutputOptions.Csv.DELIVERIES) {
      boolean messages = directory != null && output.csv == OutputOptions.Csv.MESSAGES;
      Trace trace = messages ? Trace.MESSAGES : Trace.NONE;
      return execution.run(plan, options.observing(), output, servers, tag, trace);
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

  private void writeFiles(Execution.Finished finished, Path directory) {
    try {
      ResultFiles.write(directory, finished.run());
      if (output.csv == OutputOptions.Csv.MESSAGES) {
        MessageFile.write(directory, finished.result(), finished.messages());
      }
      if (output.format == Format.TEXT) {
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
