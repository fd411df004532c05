package dev.chatflow.client.chart;

/**
 * How often which value occurred when: time to the right, values upwards on a logarithmic axis, the
 * darker the more. Stateless.
 */
public final class HeatMap {
  private HeatMap() {}

  /**
   * Draws counts per column of time and row of values.
   *
   * @param counts by column, then by row from the lowest
   * @param seconds where the last column ends
   * @param rowLabels what stands at the lower edge of each row; empty for nothing
   */
  public static Chart draw(
      String name, String title, String unit, long[][] counts, double seconds, String[] rowLabels) {
    Svg svg = new Svg(LineChart.WIDTH, LineChart.HEIGHT, title);
    double height = (LineChart.BOTTOM - LineChart.TOP) / Math.max(1, rowLabels.length);
    for (int row = 0; row < rowLabels.length; row++) {
      if (!rowLabels[row].isEmpty()) {
        double y = LineChart.BOTTOM - row * height;
        svg.line("grid", LineChart.LEFT, y, LineChart.RIGHT, y);
        svg.text(LineChart.LEFT - 6, y + 4, "end", rowLabels[row]);
      }
    }
    LineChart.unit(svg, unit);
    double width = (LineChart.RIGHT - LineChart.LEFT) / Math.max(1, counts.length);
    for (int column = 0; column < counts.length; column++) {
      cells(svg, counts[column], LineChart.LEFT + column * width, width, height);
    }
    Axis axis = Axis.to(seconds);
    for (int i = 0; i * axis.step() <= seconds * 1.0001; i++) {
      double x = LineChart.LEFT + i * axis.step() / seconds * (LineChart.RIGHT - LineChart.LEFT);
      svg.text(x, LineChart.BOTTOM + 18, "middle", Axis.label(i * axis.step()) + " s");
    }
    return new Chart(name, title, svg.end());
  }

  /** Shades by the share of the column, on a root scale: rare values stay visible. */
  private static void cells(Svg svg, long[] counts, double x, double width, double height) {
    long most = java.util.Arrays.stream(counts).max().orElse(0);
    for (int row = 0; row < counts.length; row++) {
      if (counts[row] > 0) {
        double share = Math.max(0.08, Math.sqrt((double) counts[row] / most));
        svg.cell(x, LineChart.BOTTOM - (row + 1) * height, width + 0.3, height, share);
      }
    }
  }
}
