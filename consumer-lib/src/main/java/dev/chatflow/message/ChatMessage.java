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
 */
public record ChatMessage(
    ClientMessage content, RoomId room, long serverMillis, Origin origin, boolean synthetic) {

  public ChatMessage {
    if (content.messageId() == null) {
      throw new IllegalArgumentException("an accepted message has a message id");
    }
  }

  /**
   * Where a message entered.
   *
   * @param serverId the server that accepted it
   * @param session the connection that sent it, unique over servers and boots
   * @param clientIp the address the client came from
   */
  public record Origin(String serverId, String session, String clientIp) {}

  /** The same message accepted at another time. */
  public ChatMessage acceptedAt(long millis) {
    return new ChatMessage(content, room, millis, origin, synthetic);
  }

  /** The client's id, or the one the server made. */
  public String messageId() {
    return Objects.requireNonNull(content.messageId());
  }
}
