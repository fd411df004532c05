package dev.chatflow.client.report;

import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.record.RoomFigures;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The result as one page that needs no network and no scripting. Stateless. */
final class HtmlReport {
  private static final String STYLE =
      """
      :root{color-scheme:light dark}
      body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
      h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
      pre{overflow:auto;padding:.8rem;border:1px solid #8886;border-radius:6px;font-size:12px}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums}
      td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #8884}
      .verdict{padding:.8rem 1rem;border-radius:6px;font-weight:600;border:2px solid}
      .pass{border-color:#2a8a4a}.fail{border-color:#c0392b}
      svg{width:100%;height:auto}
      @media print{body{margin:0;max-width:none}}
      """;

  private HtmlReport() {}

  static String of(RunResult result, Intervals intervals, List<String> command) {
    StringBuilder page = new StringBuilder(1 << 15);
    page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(escape(result.label()))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>ChatFlow load run: ")
        .append(escape(result.label()))
        .append("</h1><p class=\"verdict ")
        .append(result.verdict().passed() ? "pass" : "fail")
        .append("\">")
        .append(escape(result.verdict().headline()))
        .append("</p><p>")
        .append(escape(result.record().started().toString()))
        .append("</p>");
    section(page, "Result", "<pre>" + escape(TextReport.of(result)) + "</pre>");
    charts(page, intervals.rows());
    section(page, "Latency by percentile", LineChart.percentiles(result));
    section(page, "Rooms", rooms(result.record().rooms()));
    section(page, "Set-up", setUp(result, command));
    return page.append("</body></html>\n").toString();
  }

  private static void charts(StringBuilder page, List<Intervals.Row> rows) {
    section(
        page, "Deliveries per second", chart(rows, row -> row.delivered() / row.length(), "1/s"));
    section(page, "Sends per second", chart(rows, row -> row.sent() / row.length(), "1/s"));
    section(
        page,
        "Delivery latency over time: p50, p99, max",
        LineChart.of(
            rows.stream().mapToDouble(Intervals.Row::seconds).toArray(),
            "ms",
            List.of(
                rows.stream().mapToDouble(Intervals.Row::p50Millis).toArray(),
                rows.stream().mapToDouble(Intervals.Row::p99Millis).toArray(),
                rows.stream().mapToDouble(Intervals.Row::maxMillis).toArray())));
    section(page, "Messages in flight", chart(rows, row -> (double) row.inFlight(), ""));
    section(page, "CPU of the client", chart(rows, Intervals.Row::cpuPercent, "% of a core"));
  }

  private static String chart(
      List<Intervals.Row> rows, ToDoubleFunction<Intervals.Row> value, String unit) {
    return LineChart.of(
        rows.stream().mapToDouble(Intervals.Row::seconds).toArray(),
        unit,
        List.of(rows.stream().mapToDouble(value).toArray()));
  }

  private static String rooms(List<RoomFigures> rooms) {
    StringBuilder table = new StringBuilder();
    table.append(
        "<table><tr><th>room<th>users<th>sent<th>accepted<th>delivered<th>msg/s<th>mean echo ms</tr>");
    for (RoomFigures room : rooms) {
      table.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%d<td>%d<td>%,d<td>%,d<td>%,d<td>%,.1f<td>%,.1f</tr>",
              room.room(),
              room.users(),
              room.sent(),
              room.accepted(),
              room.delivered(),
              room.throughput(),
              room.meanEchoMillis()));
    }
    return table.append("</table>").toString();
  }

  private static String setUp(RunResult result, List<String> command) {
    StringBuilder text = new StringBuilder();
    text.append("client  ").append(result.machine().line()).append('\n');
    for (ServerHealth server : result.servers()) {
      text.append("server  ")
          .append(server.page())
          .append("  ")
          .append(server.description())
          .append('\n');
    }
    text.append("seed    ").append(result.plan().seed()).append('\n');
    text.append("repeat  java -jar chatflow-client.jar ").append(String.join(" ", command));
    return "<pre>" + escape(text.toString()) + "</pre>";
  }

  private static void section(StringBuilder page, String title, String body) {
    page.append("<h2>").append(escape(title)).append("</h2>").append(body);
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
