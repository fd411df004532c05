package dev.chatflow.client.cli.option;

import dev.chatflow.client.compat.ChatFlowGoReport;
import dev.chatflow.client.compat.SkierReport;
import dev.chatflow.client.report.text.JsonReport;
import dev.chatflow.client.report.text.TextReport;
import dev.chatflow.client.result.RunResult;

/** How the result is printed on stdout. */
public enum Format {
  TEXT,
  JSON,
  CHATFLOW_GO,
  SKIER;

  public String render(RunResult result) {
    return switch (this) {
      case TEXT -> TextReport.of(result);
      case JSON -> JsonReport.of(result);
      case CHATFLOW_GO -> ChatFlowGoReport.of(result);
      case SKIER -> SkierReport.of(result);
    };
  }

  /** Whether people read it; other forms are for programs, and nothing may stand beside them. */
  public boolean isForPeople() {
    return this == TEXT || this == CHATFLOW_GO;
  }
}
