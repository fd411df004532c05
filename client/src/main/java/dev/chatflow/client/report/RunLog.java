package dev.chatflow.client.report;

import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.result.Figure;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The log of all runs below one directory: for each a row in {@code index.csv} and a section in
 * {@code TUNING.md}. Stateless.
 */
public final class RunLog {
  private static final List<Figure> FIGURES = Figures.in(Figure.Display.INDEX);

  private RunLog() {}

  /** Adds a run to the log of this directory. */
  public static void append(Path directory, RunResult result) throws IOException {
    Path index = directory.resolve("index.csv");
    String head = head();
    if (Files.exists(index) && !Files.readString(index).startsWith(head)) {
      Files.move(index, unused(directory)); // a version with other columns
    }
    if (!Files.exists(index)) {
      Files.writeString(index, head);
    }
    Files.writeString(index, row(result), StandardOpenOption.APPEND);
    long number;
    try (Stream<String> lines = Files.lines(index)) {
      number = lines.count() - 1;
    }
    Files.writeString(
        directory.resolve("TUNING.md"),
        section(number, result),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static Path unused(Path directory) {
    int number = 1;
    while (Files.exists(directory.resolve("index-before-" + number + ".csv"))) {
      number++;
    }
    return directory.resolve("index-before-" + number + ".csv");
  }

  private static String head() {
    List<String> columns =
        new ArrayList<>(
            List.of(
                "started", "label", "exitCode", "rooms", "roomSize", "texts", "model", "threads"));
    FIGURES.forEach(figure -> columns.add(figure.column()));
    columns.add("notes");
    return Csv.line(columns);
  }

  private static String row(RunResult result) {
    Workload workload = result.plan().workload();
    List<Object> cells =
        new ArrayList<>(
            List.of(
                result.record().started(),
                result.label(),
                result.verdict().exitCode().number(),
                workload.rooms(),
                workload.roomSize(),
                workload.texts(),
                result.plan().pacing().model().name().toLowerCase(Locale.ROOT),
                result.plan().loadThreads()));
    FIGURES.forEach(figure -> cells.add(figure.cell(result)));
    cells.add(notes(result));
    return Csv.line(cells);
  }

  private static String section(long number, RunResult result) {
    String figures =
        FIGURES.stream()
            .map(figure -> "| " + figure.label() + " | " + figure.text(result) + " |\n")
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT,
        """
        ## Run %d - %s
        %s

        | | |
        |---|---|
        | command | `%s` |
        | notes | %s |
        %s| verdict | %s |

        ```
        %s```

        """,
        number,
        result.label(),
        result.record().started(),
        String.join(" ", result.tag().arguments()),
        notes(result).isEmpty() ? "-" : notes(result),
        figures,
        result.verdict().headline(),
        TextReport.of(result));
  }

  private static String notes(RunResult result) {
    return result.tag().notes().entrySet().stream()
        .map(note -> note.getKey() + "=" + note.getValue())
        .collect(Collectors.joining("; "));
  }
}
