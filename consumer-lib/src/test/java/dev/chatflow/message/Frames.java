package dev.chatflow.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.RoomId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Frames of a client for room {@link #ROOM}, and their parsed form. */
final class Frames {

  static final RoomId ROOM = new RoomId("room-1");

  private Frames() {}

  /** Returns a valid TEXT with some fields replaced by raw JSON; "-" leaves a field out. */
  static String frame(String... changes) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("messageType", "\"TEXT\"");
    fields.put("userId", "\"17\"");
    fields.put("username", "\"user17\"");
    fields.put("message", "\"hello\"");
    fields.put("timestamp", "\"2026-11-20T18:46:00.123Z\"");
    fields.put("messageId", "\"c-17\"");
    for (int i = 0; i < changes.length; i += 2) {
      fields.put(changes[i], changes[i + 1]);
    }
    return fields.entrySet().stream()
        .filter(field -> !field.getValue().equals("-"))
        .map(field -> '"' + field.getKey() + "\":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }

  static ClientMessage valid(String frame) {
    Parsed parsed = MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.NUMBER));
    assertThat(parsed).isInstanceOf(Parsed.Valid.class);
    return ((Parsed.Valid) parsed).message();
  }

  static Map<String, String> wrong(String frame) {
    Parsed parsed = MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.NUMBER));
    assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
    return ((Parsed.Invalid) parsed).errors();
  }

  static String malformed(String frame) {
    Parsed parsed = MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.NUMBER));
    assertThat(parsed).isInstanceOf(Parsed.Malformed.class);
    return ((Parsed.Malformed) parsed).reason();
  }
}
