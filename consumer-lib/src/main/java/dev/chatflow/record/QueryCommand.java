package dev.chatflow.record;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.support.Answer;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.Request;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The {@code query} command: queries an archive, even while a standalone consumer writes it, and
 * prints the answer as a table.
 */
@Command(
    name = "query",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Queries an archive and prints the answer as a table. No consumer needs to run.",
      "For example: query rooms/5/messages limit=20, query analytics/top of=rooms by=users"
    })
final class QueryCommand implements Callable<Integer> {

  private final PrintStream out;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "sqlite:PATH or jdbc:postgresql://... (CHATFLOW_CONSUMER_STORE)")
  private String store = "";

  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "path of the query, as over HTTP, with or without /api/")
  private String path = "";

  @Parameters(index = "1..*", paramLabel = "NAME=VALUE", description = "its parameters")
  private List<String> parameters = new ArrayList<>();

  QueryCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws ConfigException {
    InstantSource clock = InstantSource.system();
    try (Store record = StandaloneConfig.record(store);
        ArchiveQueries questions = record.questions()) {
      URI uri = URI.create("/api/" + path.replaceFirst("^/?(api/)?", "") + query());
      Answer answer =
          new RecordAnswers(questions, clock)
              .answer(new Request("GET", uri, null, List.of(), false, true, ""));
      JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
      if (answer.status() != HttpURLConnection.HTTP_OK) {
        throw new IllegalStateException(body.get("error").getAsString());
      }
      print(body);
    }
    return StandaloneMain.DONE;
  }

  private String query() {
    List<String> encoded = new ArrayList<>();
    for (String parameter : parameters) {
      String[] pair = parameter.split("=", 2);
      String value = pair.length == 2 ? pair[1] : "";
      encoded.add(
          pair[0] + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    return encoded.isEmpty() ? "" : "?" + String.join("&", encoded);
  }

  /** Prints single values one per line, then each list as a table. */
  private void print(JsonObject body) {
    for (Map.Entry<String, JsonElement> field : body.entrySet()) {
      if (!field.getValue().isJsonArray()) {
        out.println(field.getKey() + "  " + text(field.getValue()));
      }
    }
    for (Map.Entry<String, JsonElement> field : body.entrySet()) {
      if (field.getValue() instanceof JsonArray rows) {
        out.println(field.getKey());
        print(rows);
      }
    }
  }

  private void print(JsonArray rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.getAsJsonObject().keySet()));
    List<List<String>> table = new ArrayList<>();
    table.add(List.copyOf(columns));
    for (JsonElement row : rows) {
      table.add(columns.stream().map(name -> text(row.getAsJsonObject().get(name))).toList());
    }
    int[] widths = new int[columns.size()];
    table.forEach(row -> {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    });
    for (List<String> row : table) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append("  ").append(row.get(i)).repeat(' ', widths[i] - row.get(i).length());
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /** Formats a value for people; terminal control characters are escaped. */
  private static String text(JsonElement value) {
    if (value == null || value.isJsonNull()) {
      return "";
    }
    String text = value.isJsonPrimitive() ? value.getAsString() : value.toString();
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(point -> {
          if (Character.isISOControl(point) || turns(point)) {
            shown.append("\\u%04x".formatted(point));
          } else {
            shown.appendCodePoint(point);
          }
        });
    return shown.toString();
  }

  /** Returns whether the character changes the text direction. */
  private static boolean turns(int point) {
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  }
}
