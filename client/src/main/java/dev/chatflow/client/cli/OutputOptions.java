package dev.chatflow.client.cli;

import java.time.Duration;
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
  String format = "text";

  @Option(
      names = "--every",
      defaultValue = "1s",
      converter = Values.DurationConverter.class,
      description = "interval of the live line and of series (default ${DEFAULT-VALUE})")
  Duration every = Duration.ofSeconds(1);

  @Option(names = "--dry-run", description = "print plan and expected counts, then exit")
  boolean dryRun;

  @Option(
      names = {"-q", "--quiet"},
      description = "no progress")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "per-room figures")
  boolean verbose;
}
