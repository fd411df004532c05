package dev.chatflow.client.cli;

import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.report.Export;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.StoredRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: makes text, page, tables and pictures of a stored run again. */
@Command(
    name = "report",
    description = "rebuild text, HTML, CSV and SVG of a run from its directory",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class ReportCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "RUN", description = "result directory")
  private Path directory = Path.of(".");

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text, json, seed or skier (stdout only)")
  private Format format = Format.TEXT;

  @Option(
      names = "--export",
      split = ",",
      description =
          "latency or sent-vs-received (needs --csv deliveries), skier (needs --csv messages)")
  private List<String> exports = List.of();

  ReportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    List<Export> wanted = exports.stream().map(Export::of).toList();
    StoredRun run = StoredRun.read(directory);
    try {
      ResultFiles.render(directory, run);
      surroundings.out().println(format.render(run.result()));
      for (Export export : wanted) {
        surroundings.out().println("  file           " + export.write(directory, run.result()));
      }
    } catch (IOException e) {
      throw new InvalidPlan("cannot write into " + directory + ": " + e.getMessage());
    }
    surroundings.out().flush();
    return ExitCodes.PASSED;
  }
}
