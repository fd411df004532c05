package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the rules of the section "Charts" in docs/contributing/testing.md. */
final class ChartsTest {
  private static final double[] ONE = {1};
  private static final Pattern TEXT =
      Pattern.compile("<text class=\"([^\"]*)\" x=\"([0-9.-]+)\" y=\"([0-9.-]+)\">([^<]*)");

  private record Box(String text, double left, double right, double y) {
    boolean overlaps(Box other) {
      return Math.abs(y - other.y) < 10 && left < other.right && other.left < right;
    }
  }

  @Test
  void lineIsBrokenWhereAValueIsMissing() {
    double[] x = {1, 2, 3, 4, 5, 6};
    double[] y = {1, 2, Double.NaN, 4, Double.NaN, 6};
    String svg = LineChart.of("a", "A", "ms").line("p50", x, y).draw().svg();
    assertThat(svg.split("<polyline", -1)).hasSize(1 + 1);
    assertThat(svg.split("<circle", -1)).as("isolated points are dots").hasSize(1 + 2);
    assertThat(svg).doesNotContain("NaN");
  }

  @Test
  void barAboveTheLimitIsClippedAndLabelled() {
    String svg =
        BarChart.of("a", "A", "ms")
            .bars("p50", 10)
            .bars("p99", 9_000)
            .clippedAt(2_000)
            .draw()
            .svg();
    assertThat(svg).contains("9000 ↑").contains("p99: 9000 ms").doesNotContain("height=\"-");
    assertThat(svg).contains(">2000<").doesNotContain(">10k<");
  }

  @Test
  void labelsBelowAnAxisDoNotOverlap() {
    String svg =
        LineChart.of("a", "A", "")
            .line("b", new double[] {0, 100}, new double[] {1, 1})
            .tick(0, "0 %")
            .tick(4, "50 %")
            .tick(50, "90 %")
            .draw()
            .svg();
    assertThat(svg).contains(">0 %<", ">90 %<").doesNotContain(">50 %<");
  }

  @Test
  void valuesAreShownAboveAllBarsOrNone() {
    BarChart few = BarChart.of("a", "A", "").bars("one", 12.25).bars("two", 123_456);
    assertThat(few.draw().svg()).contains(">12.25<", ">123k<");
    BarChart many = BarChart.of("a", "A", "");
    IntStream.rangeClosed(1, 26).forEach(i -> many.bars("n" + i, i, 2.0 * i, 123_456));
    assertThat(many.draw().svg()).doesNotContain(">123k<").doesNotContain("small");
  }

  @Test
  void externalTextsAreEscaped() {
    String svg =
        LineChart.of("a", "<script>&\"", "<u>")
            .line("<b>", ONE, ONE)
            .line("c", ONE, ONE)
            .mark(1, "<i>")
            .draw()
            .svg();
    assertThat(svg)
        .doesNotContain("<script>", "<b>", "<i>", "<u>")
        .contains("&lt;script&gt;&amp;&quot;");
  }

  @Test
  void chartFileHasDarkAndPrintStyles() {
    Chart chart = BarChart.of("a", "A", "").bars("one", 1).draw();
    assertThat(chart.file())
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
        .contains("prefers-color-scheme:dark", "@media print", "class=\"paper\"")
        .doesNotContain("href", "url(", "<script");
    assertThat(chart.svg()).as("colours are only in chart.css").doesNotContain("#", "rgb");
  }

  @Test
  void smallMultiplesAreSideBySideAndUnscaled() {
    Chart half = BarChart.of("a", "A", "").bars("one", 1).oneOfSeveral("first", 50).draw();
    Chart none = BarChart.of("n", "N", "").bars("one", Double.NaN).draw();
    Chart all = SmallMultiples.of("b", "B", List.of(half, none, half, half));
    assertThat(all.svg().split("<svg", -1)).as("without the empty one").hasSize(1 + 1 + 3);
    assertThat(all.svg()).contains("viewBox=\"0 0 560 ", "x=\"290\" y=\"30\" width=\"270\"");
    assertThat(half.svg()).as("the common axis").contains(">50<", "viewBox=\"0 0 270 ");
    assertThat(all.isEmpty()).isFalse();
    assertThat(SmallMultiples.of("b", "B", List.of(none)).isEmpty()).isTrue();
  }

  @Test
  void heatMapShadesOnlyOccurringValues() {
    long[][] counts = {{0, 100}, {1, 0}};
    Chart drawn = HeatMap.draw("h", "H", "ms", counts, 2, new String[] {"1", "10"});
    assertThat(drawn.svg().split("class=\"heat\"", -1)).hasSize(1 + 2);
    assertThat(drawn.isEmpty()).isFalse();
    assertThat(HeatMap.draw("h", "H", "ms", new long[1][2], 2, new String[] {"1"}).isEmpty())
        .isTrue();
  }

  @Test
  void chartWithoutValuesIsEmptyAndChartOfZerosIsLabelled() {
    assertThat(LineChart.of("a", "A", "").draw().isEmpty()).isTrue();
    assertThat(
            LineChart.of("a", "A", "").line("b", ONE, new double[] {Double.NaN}).draw().isEmpty())
        .isTrue();
    Chart zeros = LineChart.of("a", "A", "").line("b", ONE, new double[] {0}).draw();
    assertThat(zeros.isEmpty()).isFalse();
    assertThat(zeros.svg()).contains("all 0");
    assertThat(BarChart.of("a", "A", "").bars("x", 0).draw().svg()).contains("all 0");
    assertThat(BarChart.of("a", "A", "").bars("x", 3).draw().svg()).doesNotContain("all 0");
  }

  @Test
  void chartsOfARunShareTheirTimeAxis() {
    String svg = LineChart.of("a", "A", "").until(100).line("b", ONE, ONE).draw().svg();
    assertThat(svg).contains("chart time", ">100 s<");
    assertThat(LineChart.of("a", "A", "").tick(1, "50 %").line("b", ONE, ONE).draw().svg())
        .as("a chart with its own axis has no cursor")
        .doesNotContain("chart time");
  }

  @Test
  void labelsNeverOverlap() {
    LineChart lines = LineChart.of("a", "Messages at the broker", "1/s").until(1_400);
    for (int i = 0; i < 6; i++) {
      lines.line("a server far away ws://host-" + i + ":8080/chat", ONE, new double[] {i});
    }
    lines.mark(400, "broker stopped").mark(405, "broker restarted").mark(1_390, "the last moment");
    BarChart bars = BarChart.of("b", "Accepted messages per second", "1/s").series("p50", "p99");
    for (int i = 0; i < 9; i++) {
      bars.bars("CHATFLOW_READER_THREADS=" + i + " servers=" + i + " (x1.00)", 10_000.0 * i, 5);
    }
    BarChart many = BarChart.of("c", "Latency", "ms");
    IntStream.range(0, 50).forEach(i -> many.bars(i * 37.5 + " ms", i));
    for (Chart chart : List.of(lines.draw(), bars.draw(), many.draw())) {
      List<Box> boxes = boxes(chart.svg());
      for (Box one : boxes) {
        assertThat(boxes.stream().filter(one::overlaps)).as("only itself").containsExactly(one);
      }
    }
  }

  private static List<Box> boxes(String svg) {
    List<Box> boxes = new ArrayList<>();
    Matcher text = TEXT.matcher(svg);
    while (text.find()) {
      double x = Double.parseDouble(text.group(2));
      double width = 6.0 * text.group(4).length();
      double left =
          text.group(1).contains("middle")
              ? x - width / 2
              : text.group(1).contains("end") ? x - width : x;
      boxes.add(new Box(text.group(4), left, left + width, Double.parseDouble(text.group(3))));
    }
    return boxes;
  }
}
