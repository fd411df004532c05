package dev.chatflow.client.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ChartsTest {
  @Test
  void axisEndsAtARoundNumberAboveTheHighestValue() {
    assertThat(Axis.to(97)).isEqualTo(new Axis(100, 20));
    assertThat(Axis.to(100)).isEqualTo(new Axis(100, 20));
    assertThat(Axis.to(1_304_740)).isEqualTo(new Axis(1_500_000, 500_000));
    assertThat(Axis.to(0)).isEqualTo(Axis.to(1));
    assertThat(Axis.to(Double.NaN)).isEqualTo(Axis.to(1));
    assertThat(List.of(Axis.label(1_500_000), Axis.label(26_100), Axis.label(0.25)))
        .containsExactly("1.5M", "26.1k", "0.25");
  }

  @Test
  void lineIsBrokenWhereAValueIsMissing() {
    double[] x = {1, 2, 3, 4, 5, 6};
    double[] y = {1, 2, Double.NaN, 4, Double.NaN, 6};
    String svg = LineChart.of("a", "A", "ms").line("p50", x, y).draw().svg();
    assertThat(svg.split("<polyline", -1)).hasSize(1 + 1);
    assertThat(svg.split("<circle", -1)).as("lonely points are dots").hasSize(1 + 2);
    assertThat(svg).doesNotContain("NaN");
  }

  @Test
  void barAboveTheLimitIsCutAndSaysItsValue() {
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
  void whatOthersWroteIsEscaped() {
    String svg =
        LineChart.of("a", "<script>&\"", "")
            .line("<b>", new double[] {1}, new double[] {1})
            .line("c", new double[] {1}, new double[] {1})
            .mark(1, "<i>")
            .draw()
            .svg();
    assertThat(svg).doesNotContain("<script>", "<b>", "<i>").contains("&lt;script&gt;&amp;&quot;");
  }

  @Test
  void pictureIsAFileOfItsOwn() {
    Chart chart = BarChart.of("a", "A", "").bars("one", 1).draw();
    assertThat(chart.file())
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
        .contains("prefers-color-scheme:dark", "@media print")
        .doesNotContain("href", "url(", "<script");
    Chart both = SmallMultiples.of("b", "B", List.of(chart, chart));
    assertThat(both.svg().split("<svg", -1)).hasSize(1 + 3);
  }

  @Test
  void heatMapShadesWhatOccurred() {
    long[][] counts = {{0, 100}, {1, 0}};
    String svg = HeatMap.draw("h", "H", "ms", counts, 2, new String[] {"1", "10"}).svg();
    assertThat(svg.split("class=\"heat\"", -1)).hasSize(1 + 2);
  }
}
