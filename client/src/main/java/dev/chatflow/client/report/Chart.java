package dev.chatflow.client.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One picture. Immutable.
 *
 * @param name file name without its ending; unique in a report
 * @param svg the picture for a page that has {@link #style}
 * @param isEmpty whether it has not one value: such a picture is not shown
 */
record Chart(String name, String title, String svg, boolean isEmpty) {
  private static final String STYLE = Markup.resource(Chart.class, "chart.css");
  private static final Pattern HEIGHT = Pattern.compile("viewBox=\"0 0 [0-9]+ ([0-9]+)\"");

  /** Colours of the pictures for light, dark and paper. */
  static String style() {
    return STYLE;
  }

  /** The picture as a file of its own. */
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
      throw new IllegalStateException("a picture without a size: " + name);
    }
    return Double.parseDouble(found.group(1));
  }
}
