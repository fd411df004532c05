package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.chatflow.client.analyse.Comparison;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.report.SeveralReport;
import dev.chatflow.client.report.StoredRun;
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

/** {@code compare}: two runs side by side, from their directories. */
@Command(
    name = "compare",
    description = "figures of later runs against the first, from their result directories",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class CompareCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(arity = "2..*", paramLabel = "RUN", description = "result directories")
  private List<Path> runs = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      description = "directory for compare.html, the runs laid over each other; none: no file")
  private @Nullable Path out;

  @Option(
      names = "--max-regression",
      defaultValue = "",
      paramLabel = "PCT",
      description = "exit 3 when a figure is worse by more than this")
  private String maxRegression = "";

  CompareCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    double limit = maxRegression.isEmpty() ? Double.MAX_VALUE : Values.share(maxRegression);
    JsonObject first = summary(runs.getFirst());
    int code = ExitCodes.PASSED;
    Map<String, Comparison> comparisons = new LinkedHashMap<>();
    for (Path run : runs.subList(1, runs.size())) {
      Comparison comparison = Comparison.of(first, summary(run));
      comparisons.put(runs.getFirst() + " against " + run, comparison);
      surroundings.out().println(runs.getFirst() + "  against  " + run);
      comparison.configuration().forEach(line -> surroundings.out().println("  differs: " + line));
      comparison.deltas().forEach(delta -> surroundings.out().println("  " + delta.line()));
      if (comparison.worst() > limit) {
        code = ExitCodes.OBJECTIVE_MISSED;
        surroundings.out().printf("  regression above %s%n", maxRegression);
      }
    }
    write(comparisons);
    surroundings.out().flush();
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
      surroundings.out().println("  files          " + page);
    } catch (IOException e) {
      throw new InvalidPlan("cannot write into " + directory + ": " + e.getMessage());
    }
  }

  private static JsonObject summary(Path run) {
    Path file = run.resolve("summary.json");
    try {
      return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    } catch (IOException | JsonParseException | IllegalStateException e) {
      throw new InvalidPlan("no readable summary.json in " + run);
    }
  }
}
