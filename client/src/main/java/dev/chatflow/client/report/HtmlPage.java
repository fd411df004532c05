package dev.chatflow.client.report;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Builds a page that needs no network. Its script only sorts tables and shows a cursor; the page is
 * complete without it. Escapes all text. Belongs to one thread.
 */
final class HtmlPage {
  private static final String STYLE = Markup.resource(HtmlPage.class, "report.css");
  private static final String SCRIPT = Markup.resource(HtmlPage.class, "report.js");

  private final StringBuilder out = new StringBuilder(1 << 16);
  private final Set<String> regions = new HashSet<>();
  private String heading;

  HtmlPage(String title) {
    heading = title;
    out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\">")
        .append("<link rel=\"icon\" href=\"data:,\"><title>")
        .append(Markup.escape(title))
        .append("</title><style>")
        .append(STYLE)
        .append(Chart.style())
        .append("</style></head><body><main><h1>")
        .append(Markup.escape(title))
        .append("</h1>\n");
  }

  /** Adds the verdict and all warnings about the figures. */
  HtmlPage verdict(boolean passed, String text, List<String> warnings) {
    out.append("<div class=\"verdict ").append(passed ? "pass" : "fail");
    out.append(warnings.isEmpty() ? "" : " warned").append("\"><p>").append(Markup.escape(text));
    out.append("</p>\n");
    for (String warning : warnings) {
      out.append("<p class=\"warning\">WARNING  ").append(Markup.escape(warning)).append("</p>\n");
    }
    out.append("</div>\n");
    return this;
  }

  HtmlPage section(String id, String title) {
    heading = title;
    out.append("<h2 id=\"").append(id).append("\">").append(Markup.escape(title)).append("</h2>\n");
    return this;
  }

  HtmlPage paragraph(String text) {
    out.append("<p>").append(Markup.escape(text)).append("</p>\n");
    return this;
  }

  HtmlPage plain(String text) {
    out.append("<pre")
        .append(region("text"))
        .append('>')
        .append(Markup.escape(text))
        .append("</pre>\n");
    return this;
  }

  /** Adds a table; {@code |} separates the column names. */
  HtmlPage table(String head, List<List<String>> rows) {
    return table(List.of(head.split("\\|", -1)), rows);
  }

  /** Adds a table; cells that start with a digit, sign or dot are numbers. */
  HtmlPage table(List<String> head, List<List<String>> rows) {
    out.append("<div class=\"wide\"").append(region("table")).append("><table><thead><tr>");
    for (int column = 0; column < head.size(); column++) {
      boolean numbers = !rows.isEmpty() && isNumber(rows.getFirst().get(column));
      out.append(numbers ? "<th class=\"n\">" : "<th>").append(Markup.escape(head.get(column)));
    }
    out.append("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      out.append("<tr>");
      row.forEach(cell ->
          out.append(isNumber(cell) ? "<td class=\"n\">" : "<td>").append(Markup.escape(cell)));
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
    return this;
  }

  /** Returns attributes that make a scrolling part accessible by keyboard and screen reader. */
  private String region(String kind) {
    String name = heading + ", " + kind;
    for (int next = 2; !regions.add(name); next++) {
      name = heading + ", " + kind + " " + next;
    }
    return " tabindex=\"0\" role=\"region\" aria-label=\"" + Markup.escape(name) + "\"";
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[-+.0-9].*");
  }

  /** Adds a chart unless it is empty. */
  private void chart(Chart chart) {
    if (chart.isEmpty()) {
      return;
    }
    out.append("<figure id=\"chart-").append(Markup.escape(chart.name())).append("\">");
    out.append(chart.svg()).append("</figure>\n");
  }

  /** Adds charts side by side where there is space. */
  HtmlPage charts(List<Chart> charts) {
    out.append("<div class=\"charts\">");
    charts.forEach(this::chart);
    out.append("</div>\n");
    return this;
  }

  /** Adds the most important figures in large type. */
  HtmlPage keyFigures(List<List<String>> pairs) {
    return pairs("key", pairs);
  }

  /** Adds pairs of a term and its value, several per row where there is space. */
  HtmlPage facts(List<List<String>> pairs) {
    return pairs("facts", pairs);
  }

  private HtmlPage pairs(String style, List<List<String>> pairs) {
    out.append("<dl class=\"").append(style).append("\">\n");
    for (List<String> pair : pairs) {
      out.append("<div><dt>").append(Markup.escape(pair.getFirst())).append("</dt><dd>");
      out.append(Markup.escape(pair.getLast())).append("</dd></div>\n");
    }
    out.append("</dl>\n");
    return this;
  }

  /** Adds a line and an area for charts, which a script fills. */
  HtmlPage live(String lineId, String kind, String chartsId) {
    out.append("<p class=\"verdict ").append(kind).append("\" id=\"").append(lineId);
    out.append("\"></p>\n<div id=\"").append(chartsId).append("\"></div>\n");
    return this;
  }

  /** Adds a script of this program. */
  HtmlPage script(String script) {
    out.append("<script>").append(script).append("</script>\n");
    return this;
  }

  /** Adds figures for programs that read the page. */
  HtmlPage data(String json) {
    out.append("<script type=\"application/json\" id=\"data\">");
    out.append(json.replace("<", "\\u003c")).append("</script>\n");
    return this;
  }

  String end() {
    return out + "</main><script>" + SCRIPT + "</script></body></html>\n";
  }
}
