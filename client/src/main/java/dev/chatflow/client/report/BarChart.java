package dev.chatflow.client.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws groups of bars from zero, with whiskers for a known spread. A bar above the limit is
 * clipped and labelled with its value. Belongs to one thread.
 */
final class BarChart {
  private static final int MANY = 26;
  private static final int MOST_LINES = 4;
  private static final double WIDEST = 90;

  private record Group(String label, List<Double> values, double spread) {}

  private final String name;
  private String title;
  private final String unit;
  private final List<String> series = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private double limit = Double.MAX_VALUE;
  private double shared;
  private double width = Frame.WIDE;

  private BarChart(String name, String title, String unit) {
    this.name = name;
    this.title = title;
    this.unit = unit;
  }

  static BarChart of(String name, String title, String unit) {
    return new BarChart(name, title, unit);
  }

  /** Sets the names of the bars in each group. */
  BarChart series(String... names) {
    series.addAll(List.of(names));
    return this;
  }

  /** Adds a group of bars; {@code NaN} omits a bar. */
  BarChart bars(String label, double... values) {
    groups.add(new Group(label, Arrays.stream(values).boxed().toList(), 0));
    return this;
  }

  /** Adds a bar with a whisker of this length up and down. */
  BarChart whiskered(String label, double value, double spread) {
    groups.add(new Group(label, List.of(value), spread));
    return this;
  }

  /** Sets the end of the axis, which clips higher bars. */
  BarChart clippedAt(double value) {
    limit = value;
    return this;
  }

  /**
   * Makes it one of several charts side by side.
   *
   * @param other its title
   * @param highest minimum end of the axis, so that charts can be compared
   */
  BarChart oneOfSeveral(String other, double highest) {
    title = other;
    shared = highest;
    width = Frame.HALF;
    return this;
  }

  /** Returns the highest bar with its whisker. */
  double highest() {
    return groups.stream()
        .flatMapToDouble(group -> group.values.stream().mapToDouble(value -> value + group.spread))
        .filter(value -> !Double.isNaN(value))
        .reduce(0, Math::max);
  }

  Chart draw() {
    double space = (width - Frame.LEFT - Frame.RIGHT_MARGIN) / Math.max(1, groups.size());
    int each = groups.size() <= MANY ? 1 : groups.size() / 10;
    List<List<String>> labels =
        groups.stream().map(group -> wrapped(group.label, space * each)).toList();
    int lines = labels.stream().mapToInt(List::size).max().orElse(1);
    Frame frame = new Frame(width, title, unit, "chart", new Frame.Legend(series, true), lines);
    Axis axis = Axis.to(Math.min(limit, Math.max(shared, highest())));
    frame.grid(axis);
    for (int i = 0; i < groups.size(); i++) {
      draw(frame, groups.get(i), Frame.LEFT + i * space, space, axis);
      if (i % each == 0) {
        frame.below(Frame.LEFT + (i + 0.5) * space, labels.get(i));
      }
    }
    boolean empty =
        groups.stream().flatMap(group -> group.values.stream()).allMatch(value -> value.isNaN());
    if (!empty && highest() == 0) {
      frame.remark("all 0");
    }
    return new Chart(name, title, frame.svg().end(), empty);
  }

  /** Splits a label into lines that fit side by side, and truncates longer words. */
  private static List<String> wrapped(String label, double space) {
    int most = Math.max(3, (int) (space / Svg.widthOf("0")) - 1);
    List<String> lines = new ArrayList<>();
    for (String word : label.split(" ", -1)) {
      boolean joins = !lines.isEmpty() && lines.getLast().length() + 1 + word.length() <= most;
      if (joins) {
        lines.add(lines.removeLast() + " " + word);
      } else if (lines.size() < MOST_LINES) {
        lines.add(word.length() <= most ? word : word.substring(0, most - 1) + "…");
      }
    }
    return lines;
  }

  private void draw(Frame frame, Group group, double from, double space, Axis axis) {
    double gap = groups.size() > MANY ? 0.04 : 0.15;
    double wide = Math.min(WIDEST, space * (1 - 2 * gap) / group.values.size());
    double start = from + (space - wide * group.values.size()) / 2;
    for (int i = 0; i < group.values.size(); i++) {
      double value = group.values.get(i);
      if (Double.isNaN(value)) {
        continue;
      }
      double x = start + i * wide;
      double y = frame.y(axis, value);
      String hint = group.label + ": " + Axis.label(value) + " " + unit;
      frame.svg().rect("bar s" + i % Frame.LOOKS, x, y, wide, frame.bottom() - y, hint);
      whisker(frame, axis, group, x + wide / 2);
      boolean cut = value > axis.top();
      if (cut || isNumbered(space)) {
        String number = Axis.label(value) + (cut ? " ↑" : "");
        frame.svg().text(x + wide / 2, y - 4, "middle small halo", number);
      }
    }
  }

  /** Returns whether the numbers of all bars fit, because only some of them would mislead. */
  private boolean isNumbered(double space) {
    return groups.stream()
        .allMatch(group ->
            group.values.stream()
                    .mapToDouble(value -> Svg.widthOf(Axis.label(value)))
                    .max()
                    .orElse(0)
                <= space / group.values.size());
  }

  private static void whisker(Frame frame, Axis axis, Group group, double x) {
    if (group.spread > 0) {
      double top = frame.y(axis, group.values.getFirst() + group.spread);
      double bottom = frame.y(axis, Math.max(0, group.values.getFirst() - group.spread));
      frame.svg().line("whisker", x, top, x, bottom);
      frame.svg().line("whisker", x - 6, top, x + 6, top);
      frame.svg().line("whisker", x - 6, bottom, x + 6, bottom);
    }
  }
}
