package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.compat.Export;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.result.StoredRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: makes text, page, tables and pictures of a stored run again. */
@Command(
    name = "report",
    description = "rebuild text, HTML, CSV and SVG of a run from its directory",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class ReportCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Parameters(arity = "0..1", paramLabel = "RUN", description = "result directory")
  private @Nullable Path run;

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text, json, chatflow-go or skier (stdout only)")
  private PrintOptions.Format format = PrintOptions.Format.TEXT;

  @Option(
      names = "--export",
      split = ",",
      description =
          "latency or sent-vs-received (needs --csv deliveries), skier (needs --csv messages)")
  private List<Export> exports = List.of();

  ReportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    Path directory = run;
    if (directory == null) {
      throw CommandFailure.usage("report needs the directory of a run, or the subcommand merge");
    }
    StoredRun stored = StoredRun.read(directory);
    try {
      ResultFiles.render(directory, stored);
      surroundings.print(format.render(stored.result()));
      for (Export export : exports) {
        surroundings.print("  file           " + export.write(directory, stored.result()));
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot write into " + directory + ": " + e.getMessage());
    }
    return ExitCode.PASSED;
  }
}
