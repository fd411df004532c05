package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.compat.ChatFlowGoMessages;
import dev.chatflow.client.compat.ScaleChatDeliveries;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.Preamble;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.RunLog;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code run}: loads the servers and checks every delivery. */
@Command(
    name = "run",
    aliases = "load",
    description = "load the servers and check every delivery (default command)",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME} ws://host-1:8080/chat ws://host-2:8080/chat",
      "  ${COMMAND-FULL-NAME} --rate 1k -d 60s --slo 'delivery.p99<250ms'",
      "  ${COMMAND-FULL-NAME} --preset warmup-a1 -t 256 --broker amqp://broker",
      "  ${COMMAND-FULL-NAME} @soak.args -d 10m             (a file with one argument per line)",
      "  ${COMMAND-FULL-NAME} --again results/20261125-100000-run ws://other-host:8080/chat"
    })
final class RunCommand implements Callable<ExitCode> {
  private static final String DELIVERIES = "deliveries.csv.gz";

  /** Replaces {@code --again} by the arguments of a stored run. */
  static final class Again implements CommandLine.IParameterPreprocessor {

    @Override
    @SuppressWarnings("JdkObsolete") // the library's stack
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      Path file = Path.of(arguments.isEmpty() ? "" : arguments.pop(), ResultFiles.ARGUMENTS);
      boolean elsewhere = arguments.stream().anyMatch(Again::isServer);
      try {
        Files.readAllLines(file).reversed().stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .filter(line -> !(elsewhere && isServer(line)))
            .forEach(arguments::push);
      } catch (IOException e) {
        throw new CommandLine.ParameterException(
            command.commandLine(),
            "--again must name the directory of a stored run: cannot read " + file + ": " + e);
      }
      return true;
    }

    private static boolean isServer(String argument) {
      return argument.startsWith("ws://") || argument.startsWith("wss://");
    }
  }

  private final Surroundings surroundings;
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private RunOptions options = new RunOptions();
  @Mixin private RunOptions.Parts parts = new RunOptions.Parts();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private PrintOptions print = new PrintOptions();

  @SuppressWarnings("UnusedVariable") // its preprocessor uses the value
  @Option(
      names = "--again",
      paramLabel = "RESULT",
      preprocessor = Again.class,
      description =
          "repeat the run in this directory with its options and seed; servers and options"
              + " after it on the command line take precedence")
  private @Nullable Path again;

  @Option(
      names = "--print-args",
      description = "print these options as an argument file for run @FILE, then exit")
  private boolean printArguments;

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException {
    Plan plan = parts.applied(options.plan(), options.hasSeed());
    if (printArguments) {
      surroundings.print(arguments(plan).stripTrailing());
      return ExitCode.PASSED;
    }
    if (print.isDryRun()) {
      surroundings.print(Preamble.of(plan, List.of(), output.label()));
      return ExitCode.PASSED;
    }
    boolean skier = print.format() == PrintOptions.Format.SKIER;
    PrintStream notes = skier ? surroundings.out() : surroundings.err();
    try (Interruption interruption = new Interruption(surroundings)) {
      return run(
          plan, new Execution(surroundings, interruption, options, output.progress(), notes));
    }
  }

  private ExitCode run(Plan plan, Execution execution) throws InterruptedException {
    List<ServerHealth> servers = options.health(plan);
    if (print.format() == PrintOptions.Format.TEXT) {
      surroundings.print(Preamble.of(plan, servers, output.label()));
    }
    ServerHealth.requireHealthy(servers);
    Path directory = output.directory(Instant.now());
    Trace trace = directory == null ? Trace.NONE : trace(plan, directory);
    Execution.Finished finished;
    boolean written;
    try {
      finished = execution.run(new Execution.Job(plan, servers, tag(), trace));
    } finally {
      written = isClosed(trace);
    }
    surroundings.print(rendered(finished.result()));
    if (print.isVerbose()) {
      PrintStream stream = print.format().isForPeople() ? surroundings.out() : surroundings.err();
      stream.println(TextReport.details(finished.result()));
    }
    written &= directory == null || isWritten(finished, directory);
    return written ? finished.result().verdict().exitCode() : ExitCode.FAILED;
  }

  private String rendered(RunResult result) {
    String text = print.format().render(result);
    return print.format() == PrintOptions.Format.TEXT
        ? surroundings.result().verdict(result.verdict().passed(), text)
        : text;
  }

  private String arguments(Plan plan) {
    return Origins.file(spec.commandLine().getParseResult(), plan);
  }

  private RunResult.Tag tag() {
    CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
    return output.tag(Origins.withoutSecrets(parsed.originalArgs()), Origins.of(parsed));
  }

  private Trace trace(Plan plan, Path directory) {
    return switch (print.rows()) {
      case NONE -> Trace.NONE;
      case MESSAGES -> Trace.MESSAGES;
      case DELIVERIES -> deliveries(plan, directory);
    };
  }

  private ScaleChatDeliveries deliveries(Plan plan, Path directory) {
    surroundings.err().println(warning(plan));
    try {
      Files.createDirectories(directory);
      return new ScaleChatDeliveries(directory.resolve(DELIVERIES), plan.runId());
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          ("--csv deliveries cannot be written to %s: %s; choose another directory with --out,"
                  + " or omit --csv")
              .formatted(directory, e));
    }
  }

  /** Closes the row file. A run keeps its result if rows are missing. */
  private boolean isClosed(Trace trace) {
    try {
      if (trace instanceof ScaleChatDeliveries deliveries) {
        deliveries.close();
      }
      return true;
    } catch (IOException e) {
      surroundings.err().println(DELIVERIES + " is incomplete: cannot write rows: " + e);
      return false;
    }
  }

  private static String warning(Plan plan) {
    long rows = plan.exact() ? plan.expected().deliveries() + plan.expected().sends() : 0;
    return "--csv deliveries writes one row for each of "
        + (rows == 0
            ? "the copies"
            : rows + " messages and copies, about " + rows / 20_000 + " MB unpacked")
        + "; load threads wait if the disk is slower";
  }

  private boolean isWritten(Execution.Finished finished, Path directory) {
    try {
      ResultFiles.write(directory, finished.run(), arguments(finished.result().plan()));
      Path parent = directory.getParent();
      if (output.isLogged() && parent != null) {
        RunLog.append(parent, finished.result());
      }
      if (print.rows() == PrintOptions.Rows.MESSAGES) {
        ChatFlowGoMessages.write(directory, finished.result(), finished.messages());
      }
      if (finished.result().plan().judging().keepsOrder()) {
        ResultFiles.order(directory, finished.order().get());
      }
      if (print.format() == PrintOptions.Format.TEXT) {
        surroundings.print("  files          " + directory.resolve("report.html"));
      }
      return true;
    } catch (IOException e) {
      surroundings.err().println("cannot write results to " + directory + ": " + e);
      return false;
    }
  }
}
