package dev.chatflow.client.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of bars from zero, with whiskers where a spread is known; a bar above the limit is clipped
 * and says its value. Belongs to one thread.
 */
public final class BarChart {
  private static final int MANY = 26;
  private static final double WIDEST = 90;

  private record Group(String label, List<Double> values, double spread) {}

  private final String name;
  private String title;
  private final String unit;
  private final List<String> series = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private double limit = Double.MAX_VALUE;
  private double shared;
  private boolean labelled = true;

  private BarChart(String name, String title, String unit) {
    this.name = name;
    this.title = title;
    this.unit = unit;
  }

  public static BarChart of(String name, String title, String unit) {
    return new BarChart(name, title, unit);
  }

  /** Names the bars of each group. */
  public BarChart series(String... names) {
    series.addAll(List.of(names));
    return this;
  }

  public BarChart bars(String label, double... values) {
    groups.add(new Group(label, Arrays.stream(values).boxed().toList(), 0));
    return this;
  }

  /** One bar with a whisker of this length up and down. */
  public BarChart whiskered(String label, double value, double spread) {
    groups.add(new Group(label, List.of(value), spread));
    return this;
  }

  /** Ends the axis here; higher bars are cut. */
  public BarChart clippedAt(double value) {
    limit = value;
    return this;
  }

  /** Gives the picture another title. */
  public BarChart titled(String other) {
    title = other;
    return this;
  }

  /** Makes the axis at least so high, so that several pictures can be compared. */
  public BarChart sharing(double highest) {
    shared = highest;
    return this;
  }

  /** Leaves the numbers above the bars away. */
  public BarChart withoutNumbers() {
    labelled = false;
    return this;
  }

  /** The highest bar with its whisker. */
  public double highest() {
    double highest = 0;
    for (Group group : groups) {
      for (double value : group.values) {
        highest = Double.isNaN(value) ? highest : Math.max(highest, value + group.spread);
      }
    }
    return highest;
  }

  public Chart draw() {
    Svg svg = new Svg(LineChart.WIDTH, LineChart.HEIGHT, title);
    Axis axis = Axis.to(Math.min(limit, Math.max(shared, highest())));
    LineChart.grid(svg, axis, unit);
    double place = (LineChart.RIGHT - LineChart.LEFT) / Math.max(1, groups.size());
    for (int i = 0; i < groups.size(); i++) {
      draw(svg, groups.get(i), LineChart.LEFT + i * place, place, axis);
      boolean readable = groups.size() <= MANY || i % (groups.size() / 10) == 0;
      if (readable) {
        double middle = LineChart.LEFT + (i + 0.5) * place;
        svg.text(middle, LineChart.BOTTOM + 18, "middle", groups.get(i).label);
      }
    }
    LineChart.legend(svg, series);
    return new Chart(name, title, svg.end());
  }

  private void draw(Svg svg, Group group, double from, double place, Axis axis) {
    double gap = groups.size() > MANY ? 0.04 : 0.15;
    double width = Math.min(WIDEST, place * (1 - 2 * gap) / group.values.size());
    double start = from + (place - width * group.values.size()) / 2;
    for (int i = 0; i < group.values.size(); i++) {
      double value = group.values.get(i);
      if (Double.isNaN(value)) {
        continue;
      }
      double x = start + i * width;
      double y = LineChart.placeY(axis, value);
      String hint = group.label + ": " + Axis.label(value) + " " + unit;
      svg.rect("bar s" + i % LineChart.STYLES, x, y, width, LineChart.BOTTOM - y, hint);
      whisker(svg, axis, group, x + width / 2);
      boolean cut = value > axis.top();
      if (cut || (labelled && groups.size() <= MANY)) {
        svg.text(x + width / 2, y - 4, "middle small", Axis.label(value) + (cut ? " ↑" : ""));
      }
    }
  }

  private static void whisker(Svg svg, Axis axis, Group group, double x) {
    if (group.spread > 0) {
      double top = LineChart.placeY(axis, group.values.getFirst() + group.spread);
      double bottom = LineChart.placeY(axis, Math.max(0, group.values.getFirst() - group.spread));
      svg.line("whisker", x, top, x, bottom);
      svg.line("whisker", x - 6, top, x + 6, top);
      svg.line("whisker", x - 6, bottom, x + 6, bottom);
    }
  }
}
