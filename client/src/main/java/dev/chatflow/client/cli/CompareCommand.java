package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.report.SeveralReport;
import dev.chatflow.client.result.Comparison;
import dev.chatflow.client.result.StoredRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}: compares runs from their directories. */
@Command(
    name = "compare",
    description = "compare later runs with the first, from their result directories",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class CompareCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Parameters(arity = "2..*", paramLabel = "RUN", description = "result directories")
  private List<Path> runs = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      description = "directory for compare.html with the curves of all runs; none writes no file")
  private @Nullable Path out;

  @Option(
      names = "--max-regression",
      defaultValue = "",
      paramLabel = "PCT",
      description = "exit with status 3 if a figure is worse by more than this")
  private String maxRegression = "";

  CompareCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    double limit = maxRegression.isEmpty() ? Double.MAX_VALUE : Values.share(maxRegression);
    JsonObject first = summary(runs.getFirst());
    ExitCode code = ExitCode.PASSED;
    Map<String, Comparison> comparisons = new LinkedHashMap<>();
    for (Path run : runs.subList(1, runs.size())) {
      Comparison comparison = Comparison.of(first, summary(run));
      comparisons.put(runs.getFirst() + " against " + run, comparison);
      surroundings.print(runs.getFirst() + "  against  " + run);
      comparison.configuration().forEach(line -> surroundings.print("  differs: " + line));
      comparison.deltas().forEach(delta -> surroundings.print("  " + delta.line()));
      if (comparison.worst() > limit) {
        code = ExitCode.OBJECTIVE_MISSED;
        surroundings.print("  regression above " + maxRegression);
      }
    }
    write(comparisons);
    return code;
  }

  private void write(Map<String, Comparison> comparisons) {
    Path directory = out;
    if (directory == null || directory.toString().equals("none")) {
      return;
    }
    Map<String, StoredRun> stored = new LinkedHashMap<>();
    runs.forEach(run -> stored.put(run.toString(), StoredRun.read(run)));
    try {
      Path page = SeveralReport.compare(directory, stored, comparisons);
      surroundings.print("  files          " + page);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "cannot write to " + directory + ": " + e.getMessage());
    }
  }

  private static JsonObject summary(Path run) {
    try {
      String json = Files.readString(run.resolve("summary.json"));
      return JsonParser.parseString(json).getAsJsonObject();
    } catch (IOException | JsonParseException | IllegalStateException e) {
      throw CommandFailure.usage("no readable summary.json in " + run);
    }
  }
}
