package dev.chatflow.client.report.html;

import dev.chatflow.client.chart.Chart;
import dev.chatflow.client.chart.Markup;
import java.util.List;

/**
 * Builds one page that needs no network; its script only sorts tables and shows a cursor, and all
 * is there without it. Text is escaped here. Belongs to one thread.
 */
public final class HtmlPage {
  private static final String STYLE = Markup.resource(HtmlPage.class, "report.css");
  private static final String SCRIPT = Markup.resource(HtmlPage.class, "report.js");

  private final StringBuilder out = new StringBuilder(1 << 16);

  public HtmlPage(String title) {
    out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\">")
        .append("<link rel=\"icon\" href=\"data:,\"><title>")
        .append(Markup.escape(title))
        .append("</title><style>")
        .append(STYLE)
        .append(Chart.style())
        .append("</style></head><body><h1>")
        .append(Markup.escape(title))
        .append("</h1>\n");
  }

  HtmlPage verdict(boolean passed, String text) {
    out.append("<p class=\"verdict ").append(passed ? "pass" : "fail").append("\">");
    out.append(Markup.escape(text)).append("</p>\n");
    return this;
  }

  public HtmlPage section(String id, String title) {
    out.append("<h2 id=\"").append(id).append("\">").append(Markup.escape(title)).append("</h2>\n");
    return this;
  }

  public HtmlPage paragraph(String text) {
    out.append("<p>").append(Markup.escape(text)).append("</p>\n");
    return this;
  }

  HtmlPage plain(String text) {
    out.append("<pre>").append(Markup.escape(text)).append("</pre>\n");
    return this;
  }

  /** A table with the names of its columns between bars. */
  HtmlPage table(String head, List<List<String>> rows) {
    return table(List.of(head.split("\\|", -1)), rows);
  }

  /** A table; a cell that starts with a digit, sign or dot is a number. */
  public HtmlPage table(List<String> head, List<List<String>> rows) {
    out.append("<div class=\"wide\"><table><thead><tr>");
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

  private static boolean isNumber(String cell) {
    return cell.matches("[-+.0-9].*");
  }

  /** A picture, when there is something in it. */
  private void chart(Chart chart) {
    if (chart.isEmpty()) {
      return;
    }
    out.append("<figure id=\"chart-").append(Markup.escape(chart.name())).append("\">");
    out.append(chart.svg()).append("</figure>\n");
  }

  /** Pictures beside one another, where there is space. */
  public HtmlPage charts(List<Chart> charts) {
    out.append("<div class=\"charts\">");
    charts.forEach(this::chart);
    out.append("</div>\n");
    return this;
  }

  /** Pairs of a word and what belongs to it, as many beside one another as there is space for. */
  HtmlPage facts(List<List<String>> pairs) {
    out.append("<dl class=\"facts\">\n");
    for (List<String> pair : pairs) {
      out.append("<div><dt>").append(Markup.escape(pair.getFirst())).append("</dt><dd>");
      out.append(Markup.escape(pair.getLast())).append("</dd></div>\n");
    }
    out.append("</dl>\n");
    return this;
  }

  /** A line and a place for pictures, which a script fills. */
  public HtmlPage live(String lineId, String kind, String chartsId) {
    out.append("<p class=\"verdict ").append(kind).append("\" id=\"").append(lineId);
    out.append("\"></p>\n<div id=\"").append(chartsId).append("\"></div>\n");
    return this;
  }

  /** A script of the program itself. */
  public HtmlPage script(String script) {
    out.append("<script>").append(script).append("</script>\n");
    return this;
  }

  /** Figures for programs that read the page. */
  HtmlPage data(String json) {
    out.append("<script type=\"application/json\" id=\"data\">");
    out.append(json.replace("<", "\\u003c")).append("</script>\n");
    return this;
  }

  public String end() {
    return out + "<script>" + SCRIPT + "</script></body></html>\n";
  }
}
