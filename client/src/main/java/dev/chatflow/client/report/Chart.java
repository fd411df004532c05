package dev.chatflow.client.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One chart. Immutable.
 *
 * @param name file name without extension; unique in a report
 * @param svg the chart for a page with {@link #style}
 * @param isEmpty whether it has no value: such charts are not shown
 */
record Chart(String name, String title, String svg, boolean isEmpty) {
  private static final String STYLE = Markup.resource(Chart.class, "chart.css");
  private static final Pattern HEIGHT = Pattern.compile("viewBox=\"0 0 [0-9]+ ([0-9]+)\"");

  /** Returns the colours of charts for light, dark and paper. */
  static String style() {
    return STYLE;
  }

  /** Returns the chart as a separate file. */
  String file() {
    int end = svg.indexOf('>') + 1;
    String paper = "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>";
    return svg.substring(0, end)
        + "<style>"
        + STYLE
        + "</style>"
        + paper
        + svg.substring(end)
        + "\n";
  }

  double height() {
    Matcher found = HEIGHT.matcher(svg);
    if (!found.find()) {
      throw new IllegalStateException("a chart without a size: " + name);
    }
    return Double.parseDouble(found.group(1));
  }
}
