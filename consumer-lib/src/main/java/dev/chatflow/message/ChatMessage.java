package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.Objects;

/**
 * An accepted message: the client's fields and those added by its server.
 *
 * @param content the message as the client sent it; its {@code messageId} is set
 * @param room the room it was sent to
 * @param serverMillis when the server accepted it, in ms since the epoch
 * @param origin the server and connection that accepted it
 * @param synthetic true for the LEAVE that a server makes for a connection that ended, and for a
 *     mute that is repeated
 * @param removed true for a synthetic LEAVE by which a moderator removes a member
 * @param quiet whether it is shown only to its own connection: a JOIN or LEAVE of a large room
 */
public record ChatMessage(
    ClientMessage content,
    RoomId room,
    long serverMillis,
    Origin origin,
    boolean synthetic,
    boolean removed,
    boolean quiet) {

  /** Creates a message that is shown to the whole room. */
  public ChatMessage(
      ClientMessage content, RoomId room, long serverMillis, Origin origin, boolean synthetic) {
    this(content, room, serverMillis, origin, synthetic, false, false);
  }

  public ChatMessage {
    if (content.messageId() == null) {
      throw new IllegalArgumentException("an accepted message has a message id");
    }
    if (!Rfc3339.isServerTime(serverMillis)) {
      throw new IllegalArgumentException("server time out of range: " + serverMillis);
    }
    if (synthetic && !content.mayBeSynthetic()) {
      throw new IllegalArgumentException(
          "only a LEAVE or a mute is synthetic, not a " + content.type());
    }
    if (removed && !(synthetic && content.type() == MessageType.LEAVE)) {
      throw new IllegalArgumentException("a LEAVE that removes a member is synthetic");
    }
    if (quiet && !content.type().changesMembership()) {
      throw new IllegalArgumentException("a " + content.type() + " is never quiet");
    }
  }

  /** Returns the same message, marked as repeated by a server. */
  public ChatMessage asSynthetic() {
    return new ChatMessage(content, room, serverMillis, origin, true);
  }

  /** Returns its id: the client's, or the one its server generated. */
  public String messageId() {
    return Objects.requireNonNull(content.messageId());
  }

  /**
   * The origin of a message. The texts are printable ASCII without quote and backslash, at most 255
   * characters, so they never need escaping.
   *
   * @param serverId the server that accepted it
   * @param connectionId the connection that sent it, unique over servers and boots; empty if a
   *     foreign publisher gives none
   * @param clientIp the address of the client; may be empty
   * @param stamp the cluster time at which the connection's JOIN was accepted, in ms
   * @param device the device that the connection's JOIN named; may be empty
   */
  public record Origin(
      String serverId, String connectionId, String clientIp, long stamp, String device) {

    /** The stamp of messages without a connection. */
    public static final long NO_STAMP = 0;

    /** Number of digits that suffices for times of the next 30,000 years, in ms. */
    public static final int MAX_STAMP_DIGITS = 15;

    /**
     * Creates the origin of a message without a connection: a post, or from a foreign publisher.
     */
    public Origin(String serverId, String connectionId, String clientIp) {
      this(serverId, connectionId, clientIp, NO_STAMP);
    }

    /** Creates the origin of a message whose connection named no device. */
    public Origin(String serverId, String connectionId, String clientIp, long stamp) {
      this(serverId, connectionId, clientIp, stamp, "");
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
