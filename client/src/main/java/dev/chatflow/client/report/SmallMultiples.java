package dev.chatflow.client.report;

import java.util.List;

/** Draws several charts of one kind, two per row. Stateless. */
final class SmallMultiples {
  private static final int PER_ROW = 2;
  private static final double HEAD = 30;
  private static final double GAP = Frame.WIDE - PER_ROW * Frame.HALF;

  private SmallMultiples() {}

  /** Combines charts, without empty ones. */
  static Chart of(String name, String title, List<Chart> charts) {
    List<Chart> drawn = charts.stream().filter(chart -> !chart.isEmpty()).toList();
    int rows = (drawn.size() + PER_ROW - 1) / PER_ROW;
    double height = drawn.stream().mapToDouble(Chart::height).max().orElse(0) + GAP;
    Svg svg = new Svg(Frame.WIDE, HEAD + rows * height, title, "chart");
    svg.title(title, "");
    for (int i = 0; i < drawn.size(); i++) {
      Chart chart = drawn.get(i);
      double x = i % PER_ROW * (Frame.HALF + GAP);
      int row = i / PER_ROW;
      svg.nested(x, HEAD + row * height, Frame.HALF, chart.height(), chart.svg());
    }
    return new Chart(name, title, svg.end(), drawn.isEmpty());
  }
}
