package dev.chatflow.client.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over one axis, by default seconds; {@code NaN} is a gap in a line. Belongs to one thread.
 */
public final class LineChart {
  static final double WIDTH = 900;
  static final double HEIGHT = 260;
  static final double LEFT = 70;
  static final double RIGHT = 880;
  static final double TOP = 44;
  static final double BOTTOM = 228;
  static final int STYLES = 6;

  private record Point(double x, double y) {}

  private record Line(String name, List<Point> points) {}

  private record Band(String name, double from, double to) {}

  private record Tick(double at, String label) {}

  private record Mark(double at, String label) {}

  private final String name;
  private final String title;
  private final String unit;
  private final List<Line> lines = new ArrayList<>();
  private final List<Band> bands = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private double mean = Double.NaN;
  private double highest;
  private boolean timed;

  private LineChart(String name, String title, String unit) {
    this.name = name;
    this.title = title;
    this.unit = unit;
  }

  public static LineChart of(String name, String title, String unit) {
    return new LineChart(name, title, unit);
  }

  public LineChart line(String lineName, double[] x, double[] y) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < Math.min(x.length, y.length); i++) {
      points.add(new Point(x[i], y[i]));
      highest = Double.isNaN(y[i]) ? highest : Math.max(highest, y[i]);
    }
    lines.add(new Line(lineName, points));
    return this;
  }

  /** Shades a part of the x axis. */
  public LineChart band(String bandName, double from, double to) {
    bands.add(new Band(bandName, from, to));
    return this;
  }

  /** Replaces the round numbers of the x axis. */
  public LineChart tick(double at, String label) {
    ticks.add(new Tick(at, label));
    return this;
  }

  /** Marks a moment. */
  public LineChart mark(double at, String label) {
    marks.add(new Mark(at, label));
    return this;
  }

  /** Says that the x axis is the time of the run: such pictures can share a cursor. */
  public LineChart timed() {
    timed = true;
    return this;
  }

  /** Draws a level line. */
  public LineChart mean(double level) {
    mean = level;
    highest = Math.max(highest, level);
    return this;
  }

  public Chart draw() {
    Svg svg = new Svg(WIDTH, HEIGHT, title, timed ? "chart time" : "chart");
    Axis axis = Axis.to(highest);
    double maxX = maxX();
    for (Band band : bands) {
      double from = placeX(band.from, maxX);
      double to = placeX(Math.min(band.to, maxX), maxX);
      svg.rect("band", from, TOP, to - from, BOTTOM - TOP, band.name);
      if (to - from > 8.0 * band.name.length()) {
        svg.text((from + to) / 2, BOTTOM - 4, "faint middle", band.name);
      }
    }
    grid(svg, axis, unit);
    labels(svg, maxX);
    if (!Double.isNaN(mean)) {
      double at = placeY(axis, mean);
      svg.line("mean", LEFT, at, RIGHT, at);
      svg.text(RIGHT, at - 4, "end", "mean " + Axis.label(mean));
    }
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), "line s" + i % STYLES, axis, maxX);
    }
    for (Mark mark : marks) {
      double at = placeX(mark.at, maxX);
      svg.line("mean", at, TOP, at, BOTTOM);
      svg.text(at + 4, TOP + 10, "faint small", mark.label);
    }
    legend(svg, lines.stream().map(Line::name).toList());
    return new Chart(name, title, svg.end());
  }

  private double maxX() {
    double max =
        lines.stream().flatMap(line -> line.points.stream()).mapToDouble(Point::x).max().orElse(1);
    double lastTick = ticks.stream().mapToDouble(Tick::at).max().orElse(0);
    return Math.max(1e-9, Math.max(max, lastTick));
  }

  static void grid(Svg svg, Axis axis, String unit) {
    for (int i = 0; i <= axis.ticks(); i++) {
      double at = placeY(axis, i * axis.step());
      svg.line("grid", LEFT, at, RIGHT, at);
      svg.text(LEFT - 6, at + 4, "end", Axis.label(i * axis.step()));
    }
    unit(svg, unit);
  }

  /** Beside the axis; a long one begins at the edge of the picture. */
  static void unit(Svg svg, String unit) {
    boolean isLong = unit.length() > 8;
    svg.text(isLong ? 8 : LEFT - 6, TOP - 10, isLong ? "faint" : "end faint", unit);
  }

  private void labels(Svg svg, double maxX) {
    if (ticks.isEmpty()) {
      Axis seconds = Axis.to(maxX);
      for (int i = 0; i * seconds.step() <= maxX * 1.0001; i++) {
        double at = i * seconds.step();
        svg.text(placeX(at, maxX), BOTTOM + 18, "middle", Axis.label(at) + " s");
      }
    }
    for (Tick tick : ticks) {
      svg.line("grid", placeX(tick.at, maxX), TOP, placeX(tick.at, maxX), BOTTOM);
      svg.text(placeX(tick.at, maxX), BOTTOM + 18, "middle", tick.label);
    }
  }

  private static void draw(Svg svg, Line line, String style, Axis axis, double maxX) {
    List<Point> piece = new ArrayList<>();
    for (Point point : line.points) {
      if (Double.isNaN(point.y)) {
        piece(svg, line.name, piece, style, axis, maxX);
        piece.clear();
      } else {
        piece.add(point);
      }
    }
    piece(svg, line.name, piece, style, axis, maxX);
  }

  /** What lies between two gaps; a lonely point becomes a dot. */
  private static void piece(
      Svg svg, String name, List<Point> piece, String style, Axis axis, double maxX) {
    if (piece.size() == 1) {
      Point point = piece.getFirst();
      svg.dot(style, placeX(point.x, maxX), placeY(axis, point.y), name);
    } else if (piece.size() > 1) {
      StringBuilder points = new StringBuilder();
      for (Point point : piece) {
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", placeX(point.x, maxX), placeY(axis, point.y)));
      }
      svg.polyline(style, points.toString());
    }
  }

  static void legend(Svg svg, List<String> names) {
    if (names.size() < 2) {
      return;
    }
    double at = LEFT;
    for (int i = 0; i < names.size(); i++) {
      svg.line("line s" + i % STYLES, at, TOP - 14, at + 22, TOP - 14);
      svg.text(at + 28, TOP - 10, "start", names.get(i));
      at += 44 + 7.2 * names.get(i).length();
    }
  }

  private static double placeX(double x, double maxX) {
    return LEFT + x / maxX * (RIGHT - LEFT);
  }

  static double placeY(Axis axis, double value) {
    return BOTTOM - Math.clamp(axis.share(value), 0, 1) * (BOTTOM - TOP);
  }
}
