package dev.chatflow.client.cli;

import dev.chatflow.client.compat.ChatFlowGoReport;
import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.report.JsonReport;
import dev.chatflow.client.report.TextReport;
import dev.chatflow.client.result.RunResult;
import picocli.CommandLine.Option;

/** What a single run prints, and the rows it writes. Filled by picocli, then read once. */
final class PrintOptions {
  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text, json, chatflow-go or skier (stdout only)")
  private Format format = Format.TEXT;

  @Option(
      names = "--csv",
      defaultValue = "none",
      description =
          "none, messages (one row each) or deliveries (a row per copy: large, costs load threads)")
  private Rows csv = Rows.NONE;

  @Option(names = "--dry-run", description = "print plan and expected counts, then exit")
  private boolean dryRun;

  @Option(
      names = {"-v", "--verbose"},
      description = "figures of every room and connection too")
  private boolean verbose;

  /** How the result is printed on stdout. */
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

    /** Whether people read it; other forms are for programs, and nothing may stand beside them. */
    public boolean isForPeople() {
      return this == TEXT || this == CHATFLOW_GO;
    }
  }

  /** Which rows are written beside the figures. */
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
