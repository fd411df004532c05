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

/** {@code report}: rebuilds text, page, tables and charts of a stored run. */
@Command(
    name = "report",
    description = "rebuild text, HTML, CSV and SVG of a stored run",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class ReportCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Parameters(arity = "0..1", paramLabel = "RUN", description = "result directory")
  private @Nullable Path run;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "text",
      description =
          "format of the result on stdout: text, json, chatflow-go or skier [default: text]")
  private PrintOptions.Format format = PrintOptions.Format.TEXT;

  @Option(
      names = "--export",
      paramLabel = "NAME",
      split = ",",
      description =
          "additional files: latency or sent-vs-received (need --csv deliveries), skier (needs"
              + " --csv messages)")
  private List<Export> exports = List.of();

  ReportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    Path directory = run;
    if (directory == null) {
      throw CommandFailure.usage("give the directory of a run, or use report merge");
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
          ExitCode.FAILED, "cannot write to " + directory + ": " + e.getMessage());
    }
    return ExitCode.PASSED;
  }
}
