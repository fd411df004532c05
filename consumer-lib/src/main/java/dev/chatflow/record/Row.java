package dev.chatflow.record;

import dev.chatflow.message.Line;

/**
 * A message as it is recorded.
 *
 * @param atMillis when its server accepted it, in ms since the epoch
 * @param sent the client's time as written by the client
 * @param body the text with its JSON escapes, so that any database can store it
 * @param extras the optional fields of a text, as written in its frame
 */
public record Row(
    Kind kind,
    String room,
    String userId,
    String username,
    String server,
    long atMillis,
    String sent,
    String messageId,
    String body,
    String extras) {

  /** Heap bytes of a row in addition to its texts. */
  private static final int OVERHEAD_BYTES = 200;

  /** The kind of a message. */
  public enum Kind {
    JOIN(0, "JOIN", ""),
    TEXT(1, "TEXT", ""),
    LEAVE(2, "LEAVE", ""),
    /** A LEAVE that a server made for a connection that ended. */
    SYNTHETIC_LEAVE(3, "LEAVE", ",\"synthetic\":true"),
    /** A text that was sent again: it was not shown, so it is only counted. */
    RESEND(4, "TEXT", ""),
    /** A text whose sender was forgotten. */
    REMOVED(5, "TEXT", ",\"removed\":true");

    /** The code in the database. */
    final int code;

    final String type;
    final String mark;

    Kind(int code, String type, String mark) {
      this.code = code;
      this.type = type;
      this.mark = mark;
    }

    static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of message has the code " + code);
    }
  }

  /** Converts a line of a kept type; the line's array may be reused afterwards. */
  public static Row of(Line.Message line, boolean resend) {
    return new Row(
        kind(line, resend),
        line.room().value(),
        line.userId(),
        line.username(),
        line.serverId(),
        line.serverMillis(),
        line.timestamp(),
        line.messageId(),
        line.escapedText(),
        line.extras());
  }

  private static Kind kind(Line.Message line, boolean resend) {
    return switch (line.type()) {
      case JOIN -> Kind.JOIN;
      case TEXT -> resend ? Kind.RESEND : Kind.TEXT;
      case LEAVE -> line.synthetic() ? Kind.SYNTHETIC_LEAVE : Kind.LEAVE;
      case SIGNAL -> throw new IllegalArgumentException("a SIGNAL is not recorded");
    };
  }

  /** Returns whether it appears in its room's history. */
  boolean isShown() {
    return kind != Kind.RESEND;
  }

  /** Returns its approximate heap size. */
  public int bytes() {
    return OVERHEAD_BYTES
        + body.length()
        + extras.length()
        + messageId.length()
        + username.length()
        + userId.length();
  }

  /** Returns the frame that members were shown. */
  public String frame() {
    return RowFrame.json(this);
  }
}
