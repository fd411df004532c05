package dev.chatflow.client.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What all pictures have in common: size, title, legend, and the plot with its grid and labels. A
 * legend of several rows and labels of several lines make a picture higher; its width is fixed.
 *
 * <p>The rules are those of the section "Charts" in {@code docs/contributing/testing.md}. Belongs
 * to one thread.
 */
final class Frame {
  /** A picture of its own: on a phone, as wide as the screen, its text is still readable. */
  static final double WIDE = 560;

  /** Two of these with a gap between them are as wide as one {@link #WIDE} picture. */
  static final double HALF = 270;

  static final double LEFT = 70;
  static final double PLOT_HEIGHT = 184;

  /** As many looks of lines and bars are in {@code chart.css}. */
  static final int LOOKS = 6;

  static final double RIGHT_MARGIN = 20;
  private static final double FIRST_ROW = 34;
  private static final double ROW = 18;
  private static final double LINE = 14;

  /**
   * What stands between title and plot, in the order of the looks.
   *
   * @param bars whether the looks are those of bars, not of lines
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
   * A frame without anything in it.
   *
   * @param width {@link #WIDE} or {@link #HALF}
   * @param style classes of the whole picture
   * @param legend shown when it has more than one name
   * @param lines of labels below the plot
   */
  Frame(double width, String title, String unit, String style, Legend legend, int lines) {
    this.width = width;
    List<Entry> entries = legend.names.size() < 2 ? List.of() : placed(legend.names);
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

  /** In rows: what does not fit beside the others begins another one. */
  private List<Entry> placed(List<String> names) {
    List<Entry> entries = new ArrayList<>();
    double x = LEFT;
    double y = FIRST_ROW;
    for (String name : names) {
      double wanted = 28 + Svg.widthOf(name) + 16;
      if (x > LEFT && x + wanted > right()) {
        x = LEFT;
        y += ROW;
      }
      entries.add(new Entry(name, x, y));
      x += wanted;
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

  /** Where a value stands; what is beyond the axis stands at its end. */
  double y(Axis axis, double value) {
    return bottom() - Math.clamp(axis.share(value), 0, 1) * PLOT_HEIGHT;
  }

  /** Where a part of the horizontal axis ends, from 0 to 1. */
  double x(double share) {
    return LEFT + share * plotWidth();
  }

  /** Level lines with the values of the axis. */
  void grid(Axis axis) {
    for (int i = 0; i <= axis.ticks(); i++) {
      level(y(axis, i * axis.step()), axis.tick(i));
    }
  }

  void level(double y, String label) {
    svg.line("grid", LEFT, y, right(), y);
    svg.text(LEFT - 6, y + 4, "end", label);
  }

  /** Seconds, minutes or hours below the plot. */
  void time(TimeAxis axis) {
    for (int i = 0; i <= axis.ticks(); i++) {
      tick(x(i * axis.step() / axis.seconds()), axis.tick(i));
    }
  }

  /** A label of the horizontal axis, from the left; left out where it would meet the last one. */
  void tick(double x, String label) {
    double half = Svg.widthOf(label) / 2;
    if (x - half > ticksEnd) {
      below(x, List.of(label));
      ticksEnd = x + half;
    }
  }

  /** Lines of a label, centred below the plot; near the edge they end with the picture. */
  void below(double x, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      double half = Svg.widthOf(lines.get(i)) / 2;
      double at = Math.clamp(x, half, Math.max(half, width - half));
      svg.text(at, bottom() + 18 + LINE * i, "middle", lines.get(i));
    }
  }

  /** Says in the middle of the plot what its shape does not. */
  void remark(String text) {
    svg.text((LEFT + right()) / 2, (top + bottom()) / 2, "middle faint", text);
  }
}
