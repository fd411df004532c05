package dev.chatflow.client.report;

import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.verify.Defect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The log of all runs beside their directories: a row in {@code index.csv} and a section in {@code
 * TUNING.md} each. Stateless.
 */
final class RunLog {
  private static final String HEADER =
      "started,label,exitCode,rooms,roomSize,texts,model,threads,windowSeconds,acceptedPerSecond,"
          + "deliveriesPerSecond,deliveryP99Ms,lost,duplicates,reordered,cpuMicrosPerDelivery,"
          + "queuePeak,notes\n";

  private RunLog() {}

  static void append(Path directory, RunResult result) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null) {
      return;
    }
    Path index = parent.resolve("index.csv");
    if (!Files.exists(index)) {
      Files.writeString(index, HEADER);
    }
    Files.writeString(index, row(result), StandardOpenOption.APPEND);
    long number;
    try (Stream<String> lines = Files.lines(index)) {
      number = lines.count() - 1;
    }
    Files.writeString(
        parent.resolve("TUNING.md"),
        section(number, result),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static String row(RunResult result) {
    Workload workload = result.plan().workload();
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%d,%d,%d,%s,%d,%.3f,%.0f,%.0f,%.3f,%d,%d,%d,%.3f,%s,%s%n",
        result.record().started(),
        cell(result.label()),
        result.verdict().exitCode(),
        workload.rooms(),
        workload.roomSize(),
        workload.texts(),
        result.plan().pacing().model().name().toLowerCase(Locale.ROOT),
        result.plan().loadThreads(),
        result.record().windowSeconds(),
        result.acceptedPerSecond(),
        result.deliveriesPerSecond(),
        result.deliveryPercentile(99) / 1e3,
        result.findings().count(Defect.LOST),
        result.findings().count(Defect.DUPLICATE),
        result.findings().count(Defect.REORDERED),
        result.cpuMicrosPerDelivery(),
        peak(result),
        cell(notes(result)));
  }

  private static String section(long number, RunResult result) {
    return String.format(
        Locale.ROOT,
        """

        ## Run %d - %s
        %s

        | | |
        |---|---|
        | command | `%s` |
        | notes | %s |
        | runtime | %.1f s, %,.0f messages/s, %,.0f deliveries/s |
        | delivery | p50 %.1f ms, p99 %.1f ms |
        | queue depth | peak %s |
        | verdict | %s |

        ```
        %s```
        """,
        number,
        result.label(),
        result.record().started(),
        String.join(" ", result.tag().arguments()),
        notes(result).isEmpty() ? "-" : notes(result),
        result.record().windowSeconds(),
        result.acceptedPerSecond(),
        result.deliveriesPerSecond(),
        result.deliveryPercentile(50) / 1e3,
        result.deliveryPercentile(99) / 1e3,
        peak(result).isEmpty() ? "not observed" : peak(result),
        result.verdict().headline(),
        TextReport.of(result));
  }

  private static String peak(RunResult result) {
    return result.queueDepth("peak").isPresent()
        ? String.format(Locale.ROOT, "%.0f", result.queueDepth("peak").getAsDouble())
        : "";
  }

  private static String notes(RunResult result) {
    return result.tag().notes().entrySet().stream()
        .map(note -> note.getKey() + "=" + note.getValue())
        .collect(Collectors.joining("; "));
  }

  private static String cell(String text) {
    return text.replace(',', ' ').replace('\n', ' ');
  }
}
