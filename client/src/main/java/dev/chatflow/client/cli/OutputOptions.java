package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.Version;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.result.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is kept of runs, and where. Filled by picocli, then read once. */
final class OutputOptions {
  @Option(
      names = {"-o", "--out"},
      defaultValue = "",
      description =
          "directory for the result files (default results/<UTC>-<label>); none: no files")
  private String out = "";

  @Option(
      names = {"-l", "--label"},
      defaultValue = "run",
      description = "name of the run")
  private String label = "run";

  @Mixin private Progress progress = new Progress();

  @Option(names = "--note", paramLabel = "K=V", description = "note kept with the run; repeatable")
  private Map<String, String> notes = new LinkedHashMap<>();

  @Option(
      names = "--apdex",
      defaultValue = "0",
      paramLabel = "DUR",
      description = "print the APDEX of echoes for this target")
  private Duration apdex = Duration.ZERO;

  /** How a run is followed. Filled by picocli, then read once. */
  static final class Progress {
    @Option(
        names = "--every",
        defaultValue = "1s",
        description = "interval of the live line and of series (default ${DEFAULT-VALUE})")
    private Duration every = Duration.ofSeconds(1);

    @Option(
        names = {"-q", "--quiet"},
        description = "no progress")
    private boolean quiet;

    @Option(
        names = "--dashboard",
        description =
            "a page with live charts on a free port of this machine, whose address is printed; it"
                + " ends with the run")
    private boolean dashboard;

    public Duration every() {
      return every;
    }

    public boolean hasDashboard() {
      return dashboard;
    }

    public boolean isQuiet() {
      return quiet;
    }
  }

  String label() {
    return label;
  }

  Progress progress() {
    return progress;
  }

  RunResult.Tag tag(List<String> arguments, List<String> options) {
    return new RunResult.Tag(label, Version.text(), notes, arguments, options, apdex);
  }

  /** Whether the files go where all runs go, and into the log of these. */
  boolean isLogged() {
    return out.isEmpty();
  }

  /**
   * Where the files go; null: nowhere.
   *
   * @throws CommandFailure when files cannot be written there, or a run is there already: better
   *     before a run than after it
   */
  @Nullable Path directory(Instant started) {
    if (out.equals("none")) {
      return null;
    }
    Path chosen = out.isEmpty() ? ResultFiles.defaultDirectory(started, label) : Path.of(out);
    if (ResultFiles.holdsRun(chosen)) {
      throw CommandFailure.usage(
          "--out: " + chosen + " holds a run already; name another directory or remove that one");
    }
    Path existing = chosen.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          ("--out: %s cannot be written: %s is no directory in which this user may write; name"
                  + " another, or none for no files")
              .formatted(chosen, existing));
    }
    return chosen;
  }
}
