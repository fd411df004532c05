package dev.chatflow.client.chart;

import java.util.List;

/** Several pictures of one kind side by side, four in a row. Stateless. */
public final class SmallMultiples {
  private static final int PER_ROW = 4;
  private static final double HEAD = 28;

  private SmallMultiples() {}

  public static Chart of(String name, String title, List<Chart> charts) {
    int columns = Math.clamp(charts.size(), 1, PER_ROW);
    int rows = (charts.size() + columns - 1) / columns;
    double width = LineChart.WIDTH / (columns == 1 ? 1 : 2);
    double height = width * LineChart.HEIGHT / LineChart.WIDTH;
    Svg svg = new Svg(width * columns, HEAD + height * rows, title);
    for (int i = 0; i < charts.size(); i++) {
      int row = i / columns;
      svg.nested(i % columns * width, HEAD + row * height, width, height, charts.get(i).svg());
    }
    return new Chart(name, title, svg.end());
  }
}
