package dev.chatflow.lab.crowd;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.chatflow.client.transport.FrameBatch;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How a server's protocol puts a room's messages into WebSocket messages, as texts in which {@code
 * {room}}, {@code {user}} and {@code {bytes}}, the length of what is said, are placeholders.
 *
 * @param path and query of the request
 * @param opcode of all messages to the server
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
    int opcode,
    String greeting,
    Map<String, String> answers,
    String readyAt,
    String enteredAt,
    String othersAt,
    String begin,
    String end,
    boolean isStream,
    boolean resumes) {

  private static final String MOMENT = "\"timestamp\":\"2026-01-01T00:00:00Z\"}";
  private static final String USER = "\"userId\":\"{user}\",\"username\":\"user{user}\",";

  /** What is sent is what all get. */
  private static final Wire PLAIN =
      new Wire("/{room}", FrameBatch.OP_TEXT, "", Map.of(), "", "", "", "", "", false, false);

  private static final Wire CHATFLOW =
      new Wire(
          "/chat/{room}",
          FrameBatch.OP_TEXT,
          "{\"messageType\":\"JOIN\"," + USER + MOMENT,
          Map.of(),
          "",
          "{\"messageType\":\"JOIN\",\"roomId\":\"{room}\",\"userId\":\"{user}\",",
          "{\"messageType\":\"",
          "{\"messageType\":\"TEXT\"," + USER + "\"message\":\"",
          "\"," + MOMENT,
          false,
          true);

  /** Its text protocol is a stream, which it cuts into messages at the ends of what it has. */
  private static final Wire NATS =
      new Wire(
          "/",
          FrameBatch.OP_BINARY,
          "",
          Map.of(
              "INFO", "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB room.{room} 1\r\n",
              "PING", "PONG\r\n"),
          "INFO",
          "",
          "",
          "PUB room.{room} {bytes}\r\n",
          "\r\n",
          true,
          false);

  /** Protocol 5 of its packets in protocol 4 of its engine. */
  private static final Wire SOCKET_IO =
      new Wire(
          "/socket.io/?EIO=4&transport=websocket&room={room}",
          FrameBatch.OP_TEXT,
          "",
          Map.of("0{", "40", "2", "3"),
          "40{",
          "",
          "",
          "42[\"m\",\"",
          "\"]",
          false,
          false);

  /** Version 1.2 without heart beats. */
  private static final Wire STOMP =
      new Wire(
          "/stomp",
          FrameBatch.OP_TEXT,
          "CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,0\n\n\0",
          Map.of("CONNECTED", "SUBSCRIBE\nid:0\ndestination:/topic/{room}\n\n\0"),
          "CONNECTED",
          "",
          "",
          "SEND\ndestination:/topic/{room}\n\n",
          "\0",
          false,
          false);

  /**
   * @throws IllegalArgumentException for a name that there is not
   */
  static Wire of(String name) {
    return switch (name) {
      case "plain" -> PLAIN;
      case "chatflow" -> CHATFLOW;
      case "nats" -> NATS;
      case "socket.io" -> SOCKET_IO;
      case "stomp" -> STOMP;
      default ->
          throw new IllegalArgumentException(
              "no wire " + name + ": there are plain, chatflow, nats, socket.io and stomp");
    };
  }

  /** The same with the texts of one member. */
  Wire of(int room, int user, int bytes) {
    return new Wire(
        filled(path, room, user, bytes),
        opcode,
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

  /** The greeting of a member that names the last message it has. */
  String greetingAfter(byte[] frame) {
    return "%s,\"after\":%s}"
        .formatted(
            greeting.substring(0, greeting.length() - 1),
            new String(frame, StandardCharsets.US_ASCII));
  }

  /** how many bytes a message has around the text. */
  int around() {
    return begin.length() + end.length();
  }

  private static String filled(String text, int room, int user, int bytes) {
    return text.replace("{room}", Integer.toString(room))
        .replace("{user}", Integer.toString(user))
        .replace("{bytes}", Integer.toString(bytes));
  }
}
