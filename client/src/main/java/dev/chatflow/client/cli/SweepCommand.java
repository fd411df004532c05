package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.RunLog;
import dev.chatflow.client.report.SeveralReport;
import dev.chatflow.client.result.Matrix;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.SweepTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code sweep}: runs every combination of values and compares them in a table. */
@Command(
    name = "sweep",
    description =
        "run every combination of --vary NAME=V,V. NAME is an option of run, servers"
            + " (servers=1,2,4 uses the first URLs), or in capitals an environment variable for"
            + " --before. All options of run apply",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class SweepCommand implements Callable<ExitCode> {

  /** The options of one cell, including its values. */
  @Command(name = "cell")
  static final class Cell {
    private final Map<String, String> values;
    private CommandLine.@Nullable ParseResult parsed;
    @Mixin private RunOptions options = new RunOptions();
    @Mixin private OutputOptions output = new OutputOptions();

    Cell(Map<String, String> values) {
      this.values = values;
    }

    /** Creates a plan for one run. */
    Plan plan() {
      Plan plan = options.plan();
      String servers = values.get(SERVERS);
      return servers == null ? plan : plan.onServers(number(servers));
    }

    /** Returns an argument file that repeats this run. */
    String arguments(Plan plan) {
      return Origins.file(Objects.requireNonNull(parsed), plan);
    }

    private static int number(String servers) {
      try {
        return Integer.parseInt(servers);
      } catch (NumberFormatException e) {
        throw CommandFailure.usage(
            "--vary servers must be numbers of URLs such as 1,2,4, found " + servers);
      }
    }
  }

  private static final String SERVERS = "servers";
  private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]*");

  private final Surroundings surroundings;

  @Option(
      names = "--vary",
      required = true,
      paramLabel = "NAME=V,V",
      description = "values of" + " NAME; repeatable")
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "runs per cell [default: ${DEFAULT-VALUE}]")
  private int repeat = 1;

  @Option(
      names = "--before",
      paramLabel = "COMMAND",
      defaultValue = "",
      description = "shell command to run before each run, with the values in its environment")
  private String before = "";

  @Unmatched private List<String> rest = new ArrayList<>();

  SweepCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException, IOException {
    Map<String, List<String>> axes = axes();
    requireKnown(axes.keySet());
    List<Map<String, String>> cells = Matrix.cells(axes);
    List<Cell> parsed = cells.stream().map(this::parse).toList();
    parsed.forEach(Cell::plan); // rejects invalid values before the first run
    OutputOptions output = parsed.getFirst().output;
    Path directory = output.directory(Instant.now());
    SweepTable table = new SweepTable(cells);
    try (Interruption interruption = new Interruption(surroundings)) {
      for (Cell cell : shuffled(parsed)) {
        if (!interruption.isInterrupted()) {
          run(cell, interruption, table, directory);
        }
      }
      return interruption.isInterrupted() ? ExitCode.INTERRUPTED : table.worst();
    } finally {
      print(table, directory, output.label()); // also the runs before a failure
    }
  }

  /** Returns all runs in random order, the same for each sweep. */
  private List<Cell> shuffled(List<Cell> cells) {
    List<Cell> runs = new ArrayList<>();
    for (int i = 0; i < Math.max(1, repeat); i++) {
      runs.addAll(cells);
    }
    Collections.shuffle(runs, new Random(1));
    return runs;
  }

  private void print(SweepTable table, @Nullable Path directory, String label) throws IOException {
    if (!table.cells().isEmpty()) {
      surroundings.print(table.text());
      if (directory != null) {
        SeveralReport.sweep(directory, table, label);
        surroundings.print("  files          " + directory.resolve("report.html"));
      }
    }
  }

  private void run(Cell cell, Interruption interruption, SweepTable table, @Nullable Path directory)
      throws InterruptedException, IOException {
    Map<String, String> values = cell.values;
    prepare(values);
    Plan plan = cell.plan();
    List<ServerHealth> servers = cell.options.health(plan);
    ServerHealth.requireHealthy(servers);
    RunResult.Tag tag =
        cell.output.tag(Origins.withoutSecrets(rest), List.of(SweepTable.name(values)));
    Execution.Finished finished =
        new Execution(
                surroundings,
                interruption,
                cell.options,
                cell.output.progress(),
                surroundings.err())
            .run(new Execution.Job(plan, servers, tag, Trace.NONE));
    table.add(values, finished.run());
    if (directory != null) {
      String name = SweepTable.name(values).replaceAll("[^A-Za-z0-9._=-]", "-");
      Path own = unused(directory.resolve(name));
      ResultFiles.write(own, finished.run(), cell.arguments(plan));
      RunLog.append(directory, finished.result());
    }
    surroundings.err().println(values + ": " + finished.result().verdict().headline());
  }

  /** Returns the directory of the first repeat, or its name with a number. */
  private static Path unused(Path base) {
    Path found = base;
    for (int i = 2; Files.exists(found); i++) {
      found = base.resolveSibling(base.getFileName() + "." + i);
    }
    return found;
  }

  private void prepare(Map<String, String> values) throws InterruptedException, IOException {
    if (before.isEmpty()) {
      return;
    }
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", before).inheritIO();
    values.forEach((name, value) ->
        shell.environment().put(name.replace('-', '_').toUpperCase(Locale.ROOT), value));
    int code = shell.start().waitFor();
    if (code != 0) {
      throw new CommandFailure(ExitCode.FAILED, "--before ended with " + code + " for " + values);
    }
  }

  private Cell parse(Map<String, String> values) {
    Cell cell = new Cell(values);
    CommandLine line = Values.accepted(new CommandLine(cell)).setOverwrittenOptionsAllowed(true);
    line.setDefaultValueProvider(
        new OptionDefaults(surroundings.environment(), surroundings.userFile()));
    Set<String> known = line.getCommandSpec().optionsMap().keySet();
    List<String> arguments = new ArrayList<>(rest);
    values.forEach((name, value) -> {
      if (known.contains("--" + name)) {
        arguments.add("--" + name + "=" + value);
      }
    });
    try {
      cell.parsed = line.parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
    return cell;
  }

  /** Rejects names without an effect, which would produce a table of equal runs. */
  private void requireKnown(Set<String> names) {
    Set<String> options = new TreeSet<>();
    new CommandLine(new Cell(Map.of()))
        .getCommandSpec().options().stream()
            .filter(option -> !option.hidden())
            .forEach(option -> options.addAll(OptionDefaults.longNames(option)));
    for (String name : names) {
      boolean exported = !before.isEmpty() && VARIABLE.matcher(name).matches();
      if (!options.contains(name) && !name.equals(SERVERS) && !exported) {
        throw CommandFailure.usage(
            ("--vary must name an option of run, servers, or with --before an environment"
                    + " variable in capitals, found %s. Options: %s")
                .formatted(name, String.join(", ", options)));
      }
    }
  }

  private Map<String, List<String>> axes() {
    return vary.stream()
        .map(SweepCommand::axis)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (_, last) -> last, LinkedHashMap::new));
  }

  private static Map.Entry<String, List<String>> axis(String text) {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw CommandFailure.usage("--vary must be NAME=V,V such as threads=1,2,4, found " + text);
    }
    return Map.entry(text.substring(0, equals), List.of(text.substring(equals + 1).split(",", -1)));
  }
}
