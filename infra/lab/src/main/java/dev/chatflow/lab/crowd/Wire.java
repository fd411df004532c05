package dev.chatflow.lab.crowd;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.chatflow.client.transport.FrameBatch;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How a server's protocol puts a room's messages into WebSocket messages, as texts in which {@code
 * {room}}, {@code {user}} and {@code {bytes}}, the length of what is said, are placeholders. Fields
 * that JSON leaves out are empty.
 *
 * @param path and query of the request
 * @param isBinary whether all messages to the server are
 * @param greeting sent at once; empty for none
 * @param answers by how a message of the server begins
 * @param readyAt how the message begins after which the member may speak; empty: at once
 * @param enteredAt how the message begins that shows a member in its room; empty: its own hello
 *     does
 * @param othersAt how messages begin that tell of other members; empty: there are none
 * @param begin before what is said
 * @param end after it
 * @param isStream whether a message of the server may hold several of the room's
 * @param resumes whether a member may reconnect and name the last message it has
 */
record Wire(
    String path,
    boolean isBinary,
    String greeting,
    Map<String, String> answers,
    String readyAt,
    String enteredAt,
    String othersAt,
    String begin,
    String end,
    boolean isStream,
    boolean resumes) {

  Wire {
    greeting = requireNonNullElse(greeting, "");
    answers = requireNonNullElse(answers, Map.of());
    readyAt = requireNonNullElse(readyAt, "");
    enteredAt = requireNonNullElse(enteredAt, "");
    othersAt = requireNonNullElse(othersAt, "");
    begin = requireNonNullElse(begin, "");
    end = requireNonNullElse(end, "");
  }

  /** The same with the texts of one member. */
  Wire of(int room, int user, int bytes) {
    return new Wire(
        filled(path, room, user, bytes),
        isBinary,
        filled(greeting, room, user, bytes),
        answers.entrySet().stream()
            .collect(
                toUnmodifiableMap(
                    Map.Entry::getKey, answer -> filled(answer.getValue(), room, user, bytes))),
        readyAt,
        filled(enteredAt, room, user, bytes),
        othersAt,
        filled(begin, room, user, bytes),
        filled(end, room, user, bytes),
        isStream,
        resumes);
  }

  int opcode() {
    return isBinary ? FrameBatch.OP_BINARY : FrameBatch.OP_TEXT;
  }

  /** The greeting of a member that names the last message it has. */
  String greetingAfter(byte[] frame) {
    return "%s,\"after\":%s}"
        .formatted(
            greeting.substring(0, greeting.length() - 1),
            new String(frame, StandardCharsets.US_ASCII));
  }

  /** How many bytes a message has around the text. */
  int around() {
    return begin.length() + end.length();
  }

  private static String filled(String text, int room, int user, int bytes) {
    return text.replace("{room}", Integer.toString(room))
        .replace("{user}", Integer.toString(user))
        .replace("{bytes}", Integer.toString(bytes));
  }
}
