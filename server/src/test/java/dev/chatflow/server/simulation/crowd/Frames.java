package dev.chatflow.server.simulation.crowd;

import dev.chatflow.room.UserDevice;

/** Reads the fields of a frame that clients use. */
public final class Frames {

  private static final String ID = "\"messageId\":\"";
  private static final int UUID_LENGTH = 36;

  private Frames() {}

  /** Returns its message id; empty if it has none. */
  public static String id(String frame) {
    return field(frame, ID);
  }

  static boolean isRemoval(String frame) {
    return frame.contains(",\"removed\":true");
  }

  /** Returns user and device, as in the log. */
  static String who(String frame) {
    return new UserDevice(field(frame, "\"userId\":\""), field(frame, "\"device\":\"")).toString();
  }

  static boolean isSignal(String frame) {
    return frame.startsWith("{\"messageType\":\"SIGNAL\"");
  }

  /** Returns whether it edits a text of another user. */
  static boolean changesAnother(String frame) {
    return frame.contains(",\"kind\":\"edit\"")
        && !field(frame, "\"refUserId\":\"").equals(field(frame, "\"userId\":\""));
  }

  /** Returns whether a server generated the id for a message of its own. */
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
