package dev.chatflow.client.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws lines over one axis, by default the time of a run in seconds; {@code NaN} is a gap. Belongs
 * to one thread.
 */
final class LineChart {
  private static final int MARK_ROWS = 4;

  private record Point(double x, double y) {}

  private record Line(String name, List<Point> points) {}

  private record Band(String name, double from, double to) {}

  private record Label(double at, String text) {}

  private final String name;
  private final String title;
  private final String unit;
  private final List<Line> lines = new ArrayList<>();
  private final List<Band> bands = new ArrayList<>();
  private final List<Label> ticks = new ArrayList<>();
  private final List<Label> marks = new ArrayList<>();
  private double mean = Double.NaN;
  private double highest = Double.NaN;
  private double end;

  private LineChart(String name, String title, String unit) {
    this.name = name;
    this.title = title;
    this.unit = unit;
  }

  static LineChart of(String name, String title, String unit) {
    return new LineChart(name, title, unit);
  }

  LineChart line(String lineName, double[] x, double[] y) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < Math.min(x.length, y.length); i++) {
      points.add(new Point(x[i], y[i]));
      highest = higher(highest, y[i]);
    }
    lines.add(new Line(lineName, points));
    return this;
  }

  private static double higher(double one, double two) {
    return Double.isNaN(one) || two > one ? two : one;
  }

  /** Shades a part of the x axis. */
  LineChart band(String bandName, double from, double to) {
    bands.add(new Band(bandName, from, to));
    return this;
  }

  /** Adds a label instead of times: the x axis is not the time of the run. */
  LineChart tick(double at, String label) {
    ticks.add(new Label(at, label));
    return this;
  }

  /** Marks a time. */
  LineChart mark(double at, String label) {
    marks.add(new Label(at, label));
    return this;
  }

  /** Sets the earliest end of the x axis, as for other charts of the run. */
  LineChart until(double seconds) {
    end = seconds;
    return this;
  }

  /** Draws a horizontal line. */
  LineChart mean(double level) {
    mean = level;
    highest = higher(highest, level);
    return this;
  }

  Chart draw() {
    List<String> names = lines.stream().map(Line::name).toList();
    boolean timed = ticks.isEmpty(); // charts over the time of the run share a cursor
    Frame.Legend legend = new Frame.Legend(names, false);
    Frame frame = new Frame(Frame.WIDE, title, unit, timed ? "chart time" : "chart", legend, 1);
    Axis axis = Axis.to(highest);
    double maxX = maxX();
    bands.forEach(band -> draw(frame, band, maxX));
    frame.grid(axis);
    if (timed) {
      frame.time(TimeAxis.to(maxX));
    }
    for (Label tick : ticks) {
      double at = frame.x(tick.at / maxX);
      frame.svg().line("grid", at, frame.top(), at, frame.bottom());
      frame.tick(at, tick.text);
    }
    for (int i = 0; i < lines.size(); i++) {
      draw(frame, lines.get(i), "line s" + i % Frame.LOOKS, axis, maxX);
    }
    if (!Double.isNaN(mean)) {
      double at = frame.y(axis, mean);
      frame.svg().line("mean", Frame.LEFT, at, frame.right(), at);
      frame.svg().text(frame.right(), at - 4, "end halo", "mean " + Axis.label(mean));
    }
    drawMarks(frame, maxX);
    if (highest == 0) {
      frame.remark("all 0");
    }
    return new Chart(name, title, frame.svg().end(), Double.isNaN(highest));
  }

  private double maxX() {
    double last =
        lines.stream().flatMap(line -> line.points.stream()).mapToDouble(Point::x).max().orElse(1);
    double lastTick = ticks.stream().mapToDouble(Label::at).max().orElse(0);
    return Math.max(1e-9, Math.max(end, Math.max(last, lastTick)));
  }

  private static void draw(Frame frame, Band band, double maxX) {
    double from = frame.x(Math.min(band.from, maxX) / maxX);
    double to = frame.x(Math.min(band.to, maxX) / maxX);
    frame.svg().rect("band", from, frame.top(), to - from, Frame.PLOT_HEIGHT, band.name);
    if (to - from > Svg.widthOf(band.name)) {
      frame.svg().text((from + to) / 2, frame.bottom() - 4, "faint middle", band.name);
    }
  }

  /** Draws marks with their labels, each in the first row with space. */
  private void drawMarks(Frame frame, double maxX) {
    double[] used = new double[MARK_ROWS];
    for (Label mark : marks) {
      double at = frame.x(Math.clamp(mark.at / maxX, 0, 1));
      frame.svg().line("mean", at, frame.top(), at, frame.bottom());
      double width = Svg.widthOf(mark.text);
      double start = Math.min(at + 4, Frame.WIDE - width);
      int row = 0;
      while (row < MARK_ROWS - 1 && used[row] > start) {
        row++;
      }
      used[row] = start + width;
      frame.svg().text(start, frame.top() + 10 + 12 * row, "faint small halo", mark.text);
    }
  }

  private static void draw(Frame frame, Line line, String style, Axis axis, double maxX) {
    List<Point> piece = new ArrayList<>();
    for (Point point : line.points) {
      if (Double.isNaN(point.y)) {
        drawPiece(frame, line.name, piece, style, axis, maxX);
        piece.clear();
      } else {
        piece.add(point);
      }
    }
    drawPiece(frame, line.name, piece, style, axis, maxX);
  }

  /** Draws the line between two gaps; a single point becomes a dot. */
  private static void drawPiece(
      Frame frame, String name, List<Point> piece, String style, Axis axis, double maxX) {
    if (piece.size() == 1) {
      Point point = piece.getFirst();
      frame.svg().dot(style, frame.x(point.x / maxX), frame.y(axis, point.y), name);
    } else if (piece.size() > 1) {
      StringBuilder points = new StringBuilder();
      for (Point point : piece) {
        points.append(
            String.format(
                Locale.ROOT, "%.1f,%.1f ", frame.x(point.x / maxX), frame.y(axis, point.y)));
      }
      frame.svg().polyline(style, points.toString(), name);
    }
  }
}
