package dev.chatflow.client.compat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;

/**
 * Prints the standalone consumer's statistics as chatflow-go's client does. Missing fields are
 * shown as {@code -}. Stateless.
 */
public final class ChatFlowGoConsumer {
  private static final List<String> LABELS =
      List.of("name", "userId", "user", "roomId", "room", "minute", "start");
  private static final int TOP = 5;
  private static final int BUCKETS = 15;

  private ChatFlowGoConsumer() {}

  public static String of(JsonObject stats) {
    StringBuilder text =
        new StringBuilder("========== Consumer Metrics ==========\n--- Core ---\n");
    text.append("Active users (last 1h): ").append(brief(stats.get("activeUsers"))).append('\n');
    text.append("Busiest room: ").append(brief(stats.get("busiestRoom"))).append('\n');
    text.append("Most active user: ").append(brief(stats.get("mostActiveUser"))).append('\n');
    list(text, "Messages/min (last 15 buckets)", last(stats.get("messagesPerMinute")));
    list(text, "Top 5 users by message count", first(stats.get("topUsers")));
    list(text, "Top 5 rooms by message count", first(stats.get("topRooms")));
    list(text, "Top 5 users by room count", first(stats.get("topUsersByRooms")));
    return text.toString();
  }

  private static void list(StringBuilder text, String title, List<JsonElement> entries) {
    text.append("--- ").append(title).append(" ---\n");
    entries.forEach(entry -> text.append("  ").append(brief(entry)).append('\n'));
  }

  private static List<JsonElement> first(JsonElement array) {
    return array instanceof JsonArray all ? all.asList().stream().limit(TOP).toList() : List.of();
  }

  private static List<JsonElement> last(JsonElement array) {
    return array instanceof JsonArray all
        ? all.asList().stream().skip(Math.max(0, all.size() - BUCKETS)).toList()
        : List.of();
  }

  /** Formats a plain value, or an object as its label and the other values. */
  private static String brief(JsonElement element) {
    if (element instanceof JsonPrimitive value) {
      return value.getAsString();
    }
    if (!(element instanceof JsonObject object)) {
      return "-";
    }
    StringBuilder text = new StringBuilder();
    for (String label : LABELS) {
      if (text.isEmpty() && object.get(label) instanceof JsonPrimitive value) {
        text.append(value.getAsString());
      }
    }
    object.entrySet().stream()
        .filter(entry -> !LABELS.contains(entry.getKey()))
        .filter(entry -> entry.getValue().isJsonPrimitive())
        .forEach(entry ->
            text.append(text.isEmpty() ? "" : ": ")
                .append(entry.getValue().getAsString())
                .append(' ')
                .append(entry.getKey()));
    return text.isEmpty() ? "-" : text.toString();
  }
}
