package dev.chatflow.server.simulation;

/** Reads what clients look at in a frame. */
final class Frames {

  private static final String ID = "\"messageId\":\"";
  private static final String USER = "\"userId\":\"";

  private Frames() {}

  /** The id of its message; empty when it names none. */
  static String id(String frame) {
    return field(frame, ID);
  }

  static int user(String frame) {
    return Integer.parseInt(field(frame, USER));
  }

  private static String field(String frame, String name) {
    int at = frame.indexOf(name);
    if (at < 0) {
      return "";
    }
    int from = at + name.length();
    return frame.substring(from, frame.indexOf('"', from));
  }
}
