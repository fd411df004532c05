package dev.chatflow.client.cli;

import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.Tag;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is printed and written. Filled by picocli, then read once. */
final class OutputOptions {
  @Option(
      names = {"-o", "--out"},
      defaultValue = "",
      description =
          "directory for the result files (default results/<UTC>-<label>); none: no files")
  String out = "";

  @Option(
      names = {"-l", "--label"},
      defaultValue = "run",
      description = "name of the run")
  String label = "run";

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text, json, seed or skier (stdout only)")
  Format format = Format.TEXT;

  @Option(
      names = "--every",
      defaultValue = "1s",
      description = "interval of the live line and of series (default ${DEFAULT-VALUE})")
  Duration every = Duration.ofSeconds(1);

  @Option(names = "--note", paramLabel = "K=V", description = "note kept with the run; repeatable")
  private Map<String, String> notes = new LinkedHashMap<>();

  @Option(
      names = "--csv",
      defaultValue = "none",
      description =
          "none, messages (one row each) or deliveries (a row per copy: large, costs load threads)")
  Csv csv = Csv.NONE;

  @Option(
      names = "--apdex",
      defaultValue = "0",
      paramLabel = "DUR",
      description = "print the APDEX of echoes for this target")
  private Duration apdex = Duration.ZERO;

  @Option(names = "--dry-run", description = "print plan and expected counts, then exit")
  boolean dryRun;

  @Option(
      names = {"-q", "--quiet"},
      description = "no progress")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "figures of every room and connection too")
  boolean verbose;

  /** Which rows are written beside the figures. */
  enum Csv {
    NONE,
    MESSAGES,
    DELIVERIES
  }

  Tag tag(List<String> arguments, List<String> options) {
    return new Tag(label, Main.version(), notes, arguments, options, apdex);
  }

  /** Where the files go; null: nowhere. */
  @Nullable Path directory(Instant started) {
    if (out.equals("none")) {
      return null;
    }
    return out.isEmpty() ? ResultFiles.defaultDirectory(started, label) : Path.of(out);
  }
}
