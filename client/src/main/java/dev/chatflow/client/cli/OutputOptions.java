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

/** The options for result files. Filled by picocli, then read once. */
final class OutputOptions {
  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "directory for the result files; none writes no files [default: results/<UTC>-<label>]")
  private String out = "";

  @Option(
      names = {"-l", "--label"},
      paramLabel = "NAME",
      defaultValue = "run",
      description = "name of the run [default: ${DEFAULT-VALUE}]")
  private String label = "run";

  @Mixin private Progress progress = new Progress();

  @Option(
      names = "--note",
      paramLabel = "K=V",
      description = "note to store with the run; repeatable")
  private Map<String, String> notes = new LinkedHashMap<>();

  @Option(
      names = "--apdex",
      defaultValue = "0",
      paramLabel = "DUR",
      description = "print the APDEX score of echoes for this target latency")
  private Duration apdex = Duration.ZERO;

  /** The options for progress during a run. Filled by picocli, then read once. */
  static final class Progress {
    @Option(
        names = "--every",
        paramLabel = "DUR",
        defaultValue = "1s",
        description = "interval of the live line and of time series [default: ${DEFAULT-VALUE}]")
    private Duration every = Duration.ofSeconds(1);

    @Option(
        names = {"-q", "--quiet"},
        description = "print no progress")
    private boolean quiet;

    @Option(
        names = "--dashboard",
        description =
            "serve a page with live charts on a free local port during the run; prints its address")
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

  /** Returns whether the files go to the default directory, whose log lists all runs. */
  boolean isLogged() {
    return out.isEmpty();
  }

  /**
   * Returns the directory for the files; null for none.
   *
   * @throws CommandFailure before the run, if files cannot be written there or it holds a run
   */
  @Nullable Path directory(Instant started) {
    if (out.equals("none")) {
      return null;
    }
    Path chosen = out.isEmpty() ? ResultFiles.defaultDirectory(started, label) : Path.of(out);
    if (ResultFiles.holdsRun(chosen)) {
      throw CommandFailure.usage(
          "--out: " + chosen + " already holds a run; choose another directory or remove it");
    }
    Path existing = chosen.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          ("--out: %s cannot be written: %s is not a writable directory; choose another, or"
                  + " none for no files")
              .formatted(chosen, existing));
    }
    return chosen;
  }
}
