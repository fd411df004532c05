package dev.chatflow.lab.crowd;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.chatflow.client.transport.FrameBatch;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How a server's protocol puts a room's messages into WebSocket messages, as texts in which {@code
 * {room}}, {@code {user}} and {@code {bytes}}, the length of the text, are placeholders. Fields
 * that JSON leaves out are empty.
 *
 * @param path and query of the request
 * @param isBinary whether all messages to the server are
 * @param greeting first message; empty for none
 * @param answers answers by the beginning of a server's message
 * @param readyAt beginning of the message after which the member may send; empty for at once
 * @param enteredAt beginning of the message that shows a member in its room; empty for its own
 *     greeting
 * @param othersAt beginnings of messages about other members; empty for none
 * @param begin part before the text
 * @param end part after the text
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

  /** Returns the texts of one member. */
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

  /** Returns the greeting of a member that resumes after its last message. */
  String greetingAfter(byte[] frame) {
    return "%s,\"after\":%s}"
        .formatted(
            greeting.substring(0, greeting.length() - 1),
            new String(frame, StandardCharsets.US_ASCII));
  }

  /** Returns the number of bytes around the text. */
  int around() {
    return begin.length() + end.length();
  }

  private static String filled(String text, int room, int user, int bytes) {
    return text.replace("{room}", Integer.toString(room))
        .replace("{user}", Integer.toString(user))
        .replace("{bytes}", Integer.toString(bytes));
  }
}
