package dev.chatflow.client.cli;

import dev.chatflow.client.report.JsonReport;
import dev.chatflow.client.report.RunResult;
import dev.chatflow.client.report.SeedReport;
import dev.chatflow.client.report.SkierReport;
import dev.chatflow.client.report.TextReport;

/** How the result is printed on stdout. */
enum Format {
  TEXT,
  JSON,
  SEED,
  SKIER;

  String render(RunResult result) {
    return switch (this) {
      case TEXT -> TextReport.of(result);
      case JSON -> JsonReport.of(result);
      case SEED -> SeedReport.of(result);
      case SKIER -> SkierReport.of(result);
    };
  }
}
