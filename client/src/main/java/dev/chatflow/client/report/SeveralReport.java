package dev.chatflow.client.report;

import dev.chatflow.client.result.Comparison;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.result.SweepTable;
import dev.chatflow.client.result.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the results of a sweep or a comparison: tables and one page with overlays. Stateless. */
public final class SeveralReport {
  private SeveralReport() {}

  /** Writes {@code sweep.txt}, {@code sweep.csv}, {@code report.html} and the charts. */
  public static void sweep(Path directory, SweepTable table, String title) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("sweep.txt"), table.text());
    Files.writeString(directory.resolve("sweep.csv"), table.csv());
    SeveralRuns several = new SeveralRuns(table.cells());
    HtmlPage page = new HtmlPage("ChatFlow sweep: " + title);
    page.charts(several.first());
    page.table(
        verdictSecond(table.head()),
        table.rows().stream().map(SeveralReport::verdictSecond).toList());
    page.paragraph(
        "Factors are relative to the first row. Compare throughputs only with equal fan-out.");
    page.paragraph(SeveralRuns.REPEATS);
    Files.writeString(directory.resolve("report.html"), page.charts(several.rest()).end());
    ResultFiles.charts(directory, several.all());
  }

  /** Moves the verdict next to the name, because the end of a wide table is out of view. */
  private static List<String> verdictSecond(List<String> row) {
    List<String> moved = new ArrayList<>(row);
    moved.add(1, moved.removeLast());
    return moved;
  }

  /** Writes {@code compare.html} with the figures of every run relative to the first. */
  public static Path compare(
      Path directory, Map<String, StoredRun> runs, Map<String, Comparison> comparisons)
      throws IOException {
    Files.createDirectories(directory);
    HtmlPage page = new HtmlPage("ChatFlow runs compared");
    Map<String, List<StoredRun>> named = new LinkedHashMap<>();
    runs.forEach((name, run) -> named.put(name, List.of(run)));
    SeveralRuns several = new SeveralRuns(named);
    page.charts(several.first());
    comparisons.forEach((name, comparison) -> {
      page.section("against", name);
      page.table(
          List.of("figure", "first", "this", "change"),
          comparison.deltas().stream().map(SeveralReport::cells).toList());
      comparison.configuration().forEach(line -> page.paragraph("differs: " + line));
    });
    page.section("more", "More charts").charts(several.rest());
    Path file = directory.resolve("compare.html");
    Files.writeString(file, page.end());
    return file;
  }

  private static List<String> cells(Comparison.Delta delta) {
    Unit unit = delta.figure().unit();
    return List.of(
        delta.figure().label(),
        unit.text(delta.first()),
        unit.text(delta.second()),
        delta.change());
  }
}
