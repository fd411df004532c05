package dev.chatflow.client.observe;

import java.util.Map;
import java.util.TreeMap;

/** Parses the Prometheus text format: one value per name, over all labels. Pure. */
final class MetricsPage {
  private MetricsPage() {}

  static Map<String, Double> read(String page) {
    Map<String, Double> values = new TreeMap<>();
    page.lines()
        .filter(line -> !line.isBlank() && line.charAt(0) != '#')
        .forEach(line -> add(line, values));
    return values;
  }

  private static void add(String line, Map<String, Double> values) {
    int brace = line.indexOf('{');
    int labelsEnd = brace < 0 ? -1 : line.lastIndexOf('}');
    String[] rest = line.substring(labelsEnd + 1).strip().split("\\s+", -1);
    String name = brace < 0 ? rest[0] : line.substring(0, brace);
    int at = brace < 0 ? 1 : 0;
    boolean isShape = name.endsWith("_bucket") || name.endsWith("_created");
    if (isShape || rest.length <= at || !name.matches("[a-zA-Z_:][a-zA-Z0-9_:]*")) {
      return;
    }
    try {
      double value = Double.parseDouble(rest[at].replace("Inf", "Infinity"));
      if (!Double.isNaN(value)) {
        values.merge(name, value, (a, b) -> Scrape.together(name, a, b));
      }
    } catch (NumberFormatException e) {
      return; // a line in another format
    }
  }
}
