package dev.chatflow.client.cli;

import dev.chatflow.client.plan.InvalidPlan;
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

  static Format of(String name) {
    return switch (name) {
      case "text" -> TEXT;
      case "json" -> JSON;
      case "seed" -> SEED;
      case "skier" -> SKIER;
      default -> throw new InvalidPlan("--format must be text, json, seed or skier, found " + name);
    };
  }

  String render(RunResult result) {
    return switch (this) {
      case TEXT -> TextReport.of(result);
      case JSON -> JsonReport.of(result);
      case SEED -> SeedReport.of(result);
      case SKIER -> SkierReport.of(result);
    };
  }
}
