package dev.chatflow.server.simulation.crowd;

/** Reads what clients look at in a frame. */
public final class Frames {

  private static final String ID = "\"messageId\":\"";
  private static final int UUID_LENGTH = 36;

  private Frames() {}

  /** The id of its message; empty when it names none. */
  public static String id(String frame) {
    return field(frame, ID);
  }

  /** Whether a server drew it, for what it says itself. */
  static boolean isDrawn(String id) {
    return id.length() == UUID_LENGTH;
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
