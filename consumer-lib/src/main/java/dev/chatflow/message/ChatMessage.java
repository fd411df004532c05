package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.Objects;

/**
 * An accepted message: what the client sent and what its server added.
 *
 * @param content what the client sent; its {@code messageId} is set
 * @param room where it was sent
 * @param serverMillis when the server accepted it, in ms since the epoch
 * @param origin who took it
 * @param synthetic true for the LEAVE a server makes for a connection that ended
 * @param quiet whether only its own connection is shown it: a JOIN or LEAVE of a large room
 */
public record ChatMessage(
    ClientMessage content,
    RoomId room,
    long serverMillis,
    Origin origin,
    boolean synthetic,
    boolean quiet) {

  /** One that the whole room is shown. */
  public ChatMessage(
      ClientMessage content, RoomId room, long serverMillis, Origin origin, boolean synthetic) {
    this(content, room, serverMillis, origin, synthetic, false);
  }

  public ChatMessage {
    if (content.messageId() == null) {
      throw new IllegalArgumentException("an accepted message has a message id");
    }
    if (!Rfc3339.isServerTime(serverMillis)) {
      throw new IllegalArgumentException("server time out of range: " + serverMillis);
    }
    if (synthetic && content.type() != MessageType.LEAVE) {
      throw new IllegalArgumentException("only a LEAVE is synthetic, not a " + content.type());
    }
    if (quiet && content.type() == MessageType.TEXT) {
      throw new IllegalArgumentException("a TEXT is never quiet");
    }
  }

  /** Its id: the client's own, or the one its server made. */
  public String messageId() {
    return Objects.requireNonNull(content.messageId());
  }

  /**
   * Where a message entered. The texts are printable ASCII without quote and backslash, at most 255
   * characters, so that they never need escaping.
   *
   * @param serverId the server that accepted it
   * @param connectionId the connection that sent it, unique over servers and boots; empty when a
   *     foreign publisher names none
   * @param clientIp the address the client came from; may be empty
   * @param stamp the cluster time at which the connection's JOIN was taken, in ms
   */
  public record Origin(String serverId, String connectionId, String clientIp, long stamp) {

    /** The stamp of what no connection sent. */
    public static final long NO_STAMP = 0;

    /** As many digits as any time of the next 30,000 years has, in ms. */
    public static final int MAX_STAMP_DIGITS = 15;

    /** The origin of what no connection sent: a publish over HTTP, or a foreign publisher's. */
    public Origin(String serverId, String connectionId, String clientIp) {
      this(serverId, connectionId, clientIp, NO_STAMP);
    }

    public Origin {
      requirePlain("server id", serverId);
      if (!connectionId.isEmpty()) {
        requirePlain("session", connectionId);
      }
      if (!clientIp.isEmpty()) {
        requirePlain("client address", clientIp);
      }
      if (stamp < 0 || (stamp != NO_STAMP && connectionId.isEmpty())) {
        throw new IllegalArgumentException("stamp " + stamp + " of session '" + connectionId + "'");
      }
    }

    private static void requirePlain(String what, String text) {
      if (!Rule.isPlain(text)) {
        throw new IllegalArgumentException(what + " " + Rule.PLAIN.text() + ": '" + text + "'");
      }
    }
  }
}
