package dev.chatflow.client.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The common frame of charts: size, title, legend, and the plot with its grid and labels. Its width
 * is fixed; several rows of legend or labels increase the height.
 *
 * <p>Follows the section "Charts" in {@code docs/contributing/testing.md}. Belongs to one thread.
 */
final class Frame {
  /** The width of a single chart, whose text is readable on a phone. */
  static final double WIDE = 560;

  /** The width of a half chart: two of them with a gap are as wide as {@link #WIDE}. */
  static final double HALF = 270;

  static final double LEFT = 70;
  static final double PLOT_HEIGHT = 184;

  /** Number of styles for lines and bars in {@code chart.css}. */
  static final int LOOKS = 6;

  static final double RIGHT_MARGIN = 20;
  private static final double FIRST_ROW = 34;
  private static final double ROW = 18;
  private static final double LINE = 14;

  /**
   * The legend between title and plot, in the order of styles.
   *
   * @param bars whether to use the styles of bars instead of lines
   */
  record Legend(List<String> names, boolean bars) {
    static final Legend NONE = new Legend(List.of(), false);
  }

  private record Entry(String name, double x, double y) {}

  private final Svg svg;
  private final double width;
  private final double top;
  private double ticksEnd = Double.NEGATIVE_INFINITY;

  /**
   * Creates an empty frame.
   *
   * @param width {@link #WIDE} or {@link #HALF}
   * @param style classes of the whole chart
   * @param legend shown if it has more than one name
   * @param lines number of label lines below the plot
   */
  Frame(double width, String title, String unit, String style, Legend legend, int lines) {
    this.width = width;
    List<Entry> entries = legend.names.size() < 2 ? List.of() : arranged(legend.names);
    double lastRow = entries.isEmpty() ? FIRST_ROW : entries.getLast().y;
    top = lastRow + 10;
    svg = new Svg(width, bottom() + 18 + LINE * lines, title, style);
    svg.title(title, unit);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (legend.bars) {
        svg.rect("bar s" + i % LOOKS, entry.x + 4, entry.y - 10, 14, 11, "");
      } else {
        svg.line("line s" + i % LOOKS, entry.x, entry.y - 4, entry.x + 22, entry.y - 4);
      }
      svg.text(entry.x + 28, entry.y, "start", entry.name);
    }
    svg.rect("plot", LEFT, top, plotWidth(), PLOT_HEIGHT, "");
  }

  /** Places the legend in rows. */
  private List<Entry> arranged(List<String> names) {
    List<Entry> entries = new ArrayList<>();
    double x = LEFT;
    double y = FIRST_ROW;
    for (String name : names) {
      double wide = 28 + Svg.widthOf(name) + 16;
      if (x > LEFT && x + wide > right()) {
        x = LEFT;
        y += ROW;
      }
      entries.add(new Entry(name, x, y));
      x += wide;
    }
    return entries;
  }

  Svg svg() {
    return svg;
  }

  double right() {
    return width - RIGHT_MARGIN;
  }

  double plotWidth() {
    return right() - LEFT;
  }

  double top() {
    return top;
  }

  double bottom() {
    return top + PLOT_HEIGHT;
  }

  /** Returns the position of a value, at most the end of the axis. */
  double y(Axis axis, double value) {
    return bottom() - Math.clamp(axis.share(value), 0, 1) * PLOT_HEIGHT;
  }

  /** Returns the position of a share, from 0 to 1, of the horizontal axis. */
  double x(double share) {
    return LEFT + share * plotWidth();
  }

  /** Draws grid lines with the values of the axis. */
  void grid(Axis axis) {
    for (int i = 0; i <= axis.ticks(); i++) {
      level(y(axis, i * axis.step()), axis.tick(i));
    }
  }

  void level(double y, String label) {
    svg.line("grid", LEFT, y, right(), y);
    svg.text(LEFT - 6, y + 4, "end", label);
  }

  /** Draws seconds, minutes or hours below the plot. */
  void time(TimeAxis axis) {
    for (int i = 0; i <= axis.ticks(); i++) {
      tick(x(i * axis.step() / axis.seconds()), axis.tick(i));
    }
  }

  /** Draws a label of the horizontal axis, unless it would overlap the last one. */
  void tick(double x, String label) {
    double half = Svg.widthOf(label) / 2;
    if (x - half > ticksEnd) {
      below(x, List.of(label));
      ticksEnd = x + half;
    }
  }

  /** Draws the lines of a label, centred below the plot, within the chart. */
  void below(double x, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      double half = Svg.widthOf(lines.get(i)) / 2;
      double at = Math.clamp(x, half, Math.max(half, width - half));
      svg.text(at, bottom() + 18 + LINE * i, "middle", lines.get(i));
    }
  }

  /** Draws a remark in the middle of the plot. */
  void remark(String text) {
    svg.text((LEFT + right()) / 2, (top + bottom()) / 2, "middle faint", text);
  }
}
