package dev.chatflow.standalone.store;

import dev.chatflow.message.line.Line;

/**
 * One message as it is recorded.
 *
 * @param atMillis when its server accepted it, in ms since the epoch
 * @param sent when its client wrote it, as the client wrote that
 * @param body what was said, with the escapes of JSON: no database has to take every character
 */
public record Row(
    Kind kind,
    String room,
    int userId,
    String username,
    String server,
    long atMillis,
    String sent,
    String messageId,
    String body) {

  /** What a row costs in heap beside its texts. */
  private static final int OVERHEAD_BYTES = 200;

  /** What a message did. Stored as {@link #ordinal}: new ones go to the end. */
  public enum Kind {
    JOIN("JOIN", ""),
    TEXT("TEXT", ""),
    LEAVE("LEAVE", ""),
    /** A LEAVE that a server made for a connection that ended. */
    SYNTHETIC_LEAVE("LEAVE", ",\"synthetic\":true"),
    /** A text that was sent again: nobody was shown it, so it is counted alone. */
    RESEND("TEXT", ""),
    /** A text whose sender was forgotten. */
    REMOVED("TEXT", ",\"removed\":true");

    final String type;
    final String mark;

    Kind(String type, String mark) {
      this.type = type;
      this.mark = mark;
    }
  }

  /** What a line says; the line may be used by others afterwards. */
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
        line.escapedText());
  }

  private static Kind kind(Line.Message line, boolean resend) {
    return switch (line.type()) {
      case JOIN -> Kind.JOIN;
      case TEXT -> resend ? Kind.RESEND : Kind.TEXT;
      case LEAVE -> line.synthetic() ? Kind.SYNTHETIC_LEAVE : Kind.LEAVE;
    };
  }

  /** Whether it stands in its room's history. */
  boolean isShown() {
    return kind != Kind.RESEND;
  }

  /** About what it costs in heap. */
  public int bytes() {
    return OVERHEAD_BYTES + body.length() + messageId.length() + username.length();
  }

  /** The frame that members were shown. */
  public String frame() {
    return Frame.json(this);
  }
}
