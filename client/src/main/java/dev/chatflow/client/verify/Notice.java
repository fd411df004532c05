package dev.chatflow.client.verify;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;

/**
 * A frame without a head of this run: an error, a message of another client, or an unreadable
 * frame.
 */
public sealed interface Notice {

  /**
   * A rejection.
   *
   * @param seq sequence number of the rejected message if its id is one of this run, else -1
   * @param ofSignal whether the message was a signal of this run, whose number is not in {@code
   *     seq}
   */
  record Refusal(int status, String errorCode, int seq, boolean ofSignal, long retryAfterMillis)
      implements Notice {}

  /** A broadcast from outside the run: a server's LEAVE, or another client's message. */
  record Foreign(String messageType, boolean synthetic) implements Notice {}

  /** A frame that is not a JSON object of the protocol. */
  record Unreadable() implements Notice {}

  /** Classifies a frame. Parses JSON, so use it only for the rare frames without a head. */
  static Notice of(byte[] bytes, int from, int to, String runId) {
    try {
      String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      if (!(JsonParser.parseString(text) instanceof JsonObject json)) {
        return new Unreadable();
      }
      int status = number(json, "status", 0);
      if (status >= 400) {
        String id = string(json, "messageId");
        return new Refusal(
            status,
            string(json, "errorCode"),
            seqOf(id, runId),
            id.startsWith(runId + MessageTemplate.SIGNAL_MARK),
            number(json, "retryAfterMs", 0));
      }
      String type = string(json, "messageType");
      return type.isEmpty() ? new Unreadable() : new Foreign(type, json.has("synthetic"));
    } catch (JsonParseException | NumberFormatException e) {
      return new Unreadable();
    }
  }

  private static int seqOf(String messageId, String runId) {
    if (messageId.length() != 16 || !messageId.startsWith(runId + "-")) {
      return -1;
    }
    return (int) Base36.read(messageId.getBytes(StandardCharsets.US_ASCII), 10, 6);
  }

  private static String string(JsonObject json, String name) {
    JsonElement value = json.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  private static int number(JsonObject json, String name, int otherwise) {
    JsonElement value = json.get(name);
    return value == null || !value.isJsonPrimitive() ? otherwise : value.getAsInt();
  }
}
