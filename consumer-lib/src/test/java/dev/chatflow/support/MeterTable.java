package dev.chatflow.support;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** ChatFlow's meters in a Prometheus text, as the rows of a table. */
public final class MeterTable {
  private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (chatflow_\\S+) (.*)");
  private static final Pattern SERIES =
      Pattern.compile("(chatflow_\\w+?)(?:_bucket|_count|_sum)?(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private MeterTable() {}

  /** Returns the table's lines, sorted by name. The label {@code server_id} is left out. */
  public static List<String> of(String scrape) {
    Map<String, String> help = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    for (String line : (Iterable<String>) scrape.lines()::iterator) {
      Matcher head = HEAD.matcher(line);
      Matcher series = SERIES.matcher(line);
      if (head.matches()) {
        (head.group(1).equals("HELP") ? help : types).put(head.group(2), head.group(3));
      } else if (series.matches()) {
        Set<String> names = labels.computeIfAbsent(series.group(1), _ -> new LinkedHashSet<>());
        LABEL
            .matcher(series.group(2) == null ? "" : series.group(2))
            .results()
            .map(label -> label.group(1))
            .filter(label -> !label.equals("server_id"))
            .forEach(names::add);
      }
    }
    List<String> lines =
        new ArrayList<>(List.of("| meter | type | labels | meaning |", "|---|---|---|---|"));
    types.forEach((name, type) ->
        lines.add(
            "| `%s` | %s | %s | %s |"
                .formatted(
                    name,
                    type,
                    String.join(", ", labels.getOrDefault(name, Set.of())),
                    meaning(name, types, help))));
    return lines;
  }

  private static String meaning(String name, Map<String, String> types, Map<String, String> help) {
    boolean maximum = name.endsWith("_max") && types.containsKey(name.replaceFirst("_max$", ""));
    return maximum
        ? "maximum of the last minutes"
        : help.getOrDefault(name, "").replaceAll("CHATFLOW_[A-Z_]+|GET /\\S+[a-z]", "`$0`");
  }
}
