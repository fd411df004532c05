package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.result.MergedParts;
import dev.chatflow.client.result.RoomOrders;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.verify.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report merge}: the parts of a run, played by several machines, as one run. */
@Command(
    name = "merge",
    description =
        "add the parts of a run (--part) up to one: counts, proofs and histograms; the orders in"
            + " which they saw each room are compared",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class MergeCommand implements Callable<ExitCode> {
  private record StoredPart(Path directory, StoredRun run) {}

  private final Surroundings surroundings;

  @Parameters(arity = "1..*", paramLabel = "PART", description = "result directories of all parts")
  private List<Path> directories = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      required = true,
      description = "directory for the files of the whole run")
  private Path out = Path.of(".");

  MergeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    if (ResultFiles.holdsRun(out)) {
      throw CommandFailure.usage("--out already holds a run; choose another directory: " + out);
    }
    List<StoredPart> parts =
        directories.stream()
            .map(directory -> new StoredPart(directory, StoredRun.read(directory)))
            .sorted(Comparator.comparingInt(part -> MergedParts.number(part.run)))
            .toList();
    List<StoredRun> runs = parts.stream().map(StoredPart::run).toList();
    MergedParts.requireWhole(runs);
    List<Path> paths = parts.stream().map(StoredPart::directory).toList();
    StoredRun whole = MergedParts.of(runs, differences(paths));
    runs.forEach(part -> surroundings.print("  part           " + line(part)));
    surroundings.print(TextReport.of(whole.result()));
    write(whole, paths.getFirst());
    return exitCode(runs, whole);
  }

  private static String line(StoredRun part) {
    return part.result().machine().line() + ": " + part.result().verdict().headline();
  }

  private static Findings differences(List<Path> parts) {
    try {
      return RoomOrders.compared(
          parts.stream().map(part -> part.resolve(ResultFiles.ORDER)).toList());
    } catch (IOException e) {
      throw CommandFailure.usage("cannot compare the order of the parts: " + e);
    }
  }

  private void write(StoredRun whole, Path first) {
    try {
      String arguments =
          Files.readAllLines(first.resolve(ResultFiles.ARGUMENTS)).stream()
              .filter(line -> !line.matches("--(part|start-at)=.*"))
              .collect(Collectors.joining("\n", "", "\n"));
      ResultFiles.write(out, whole, arguments); // for a repetition by one client
      surroundings.print("  files          " + out.resolve("report.html"));
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot write results to " + out + ": " + e);
    }
  }

  /** Returns the worst status: the whole does not pass unless all parts do. */
  private static ExitCode exitCode(List<StoredRun> parts, StoredRun whole) {
    ExitCode code = whole.result().verdict().exitCode();
    return code != ExitCode.PASSED
        ? code
        : parts.stream()
            .map(part -> part.result().verdict().exitCode())
            .filter(own -> own != ExitCode.PASSED)
            .findFirst()
            .orElse(ExitCode.PASSED);
  }
}
