package dev.chatflow.client.cli;

import dev.chatflow.client.compat.ChatFlowGoReport;
import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.report.JsonReport;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.result.RunResult;
import picocli.CommandLine.Option;

/**
 * The options for the printed result and the row files of a run. Filled by picocli, then read once.
 */
final class PrintOptions {
  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "text",
      description =
          "format of the result on stdout: text, json, chatflow-go or skier [default: text]")
  private Format format = Format.TEXT;

  @Option(
      names = "--csv",
      paramLabel = "ROWS",
      defaultValue = "none",
      description =
          "rows to write: none, messages (one each) or deliveries (one per copy: large, and"
              + " slows load threads) [default: none]")
  private Rows csv = Rows.NONE;

  @Option(names = "--dry-run", description = "print the plan and the expected counts, then exit")
  private boolean dryRun;

  @Option(
      names = {"-v", "--verbose"},
      description = "also print the figures of every room and connection")
  private boolean verbose;

  /** The format of the result on stdout. */
  enum Format {
    TEXT,
    JSON,
    CHATFLOW_GO,
    SKIER;

    public String render(RunResult result) {
      return switch (this) {
        case TEXT -> TextReport.of(result);
        case JSON -> JsonReport.of(result);
        case CHATFLOW_GO -> ChatFlowGoReport.of(result);
        case SKIER -> Skier.summary(result);
      };
    }

    /** Returns whether it is for people. Nothing may be added to formats for programs. */
    public boolean isForPeople() {
      return this == TEXT || this == CHATFLOW_GO;
    }
  }

  /** The rows to write in addition to the figures. */
  enum Rows {
    NONE,
    MESSAGES,
    DELIVERIES
  }

  Format format() {
    return format;
  }

  Rows rows() {
    return csv;
  }

  boolean isDryRun() {
    return dryRun;
  }

  boolean isVerbose() {
    return verbose;
  }
}
