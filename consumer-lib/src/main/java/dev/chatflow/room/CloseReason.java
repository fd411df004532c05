package dev.chatflow.room;

/**
 * The reasons for which ChatFlow closes a connection, with WebSocket close code and text. The
 * container adds codes of its own.
 */
public enum CloseReason {
  NORMAL(1000, ""),
  /** The text is built for each connection: {@code reconnect after N ms}. */
  GOING_AWAY(1001, "reconnect after 0 ms"),
  /** A lost peer does not receive the code; a peer that is still there should reconnect. */
  PEER_LOST(1001, "no sign of life from the client"),
  BINARY(1003, "text messages only"),
  REFUSED(1008, "too many malformed messages in a row"),
  /** In the handshake, the text names the origin and the setting. */
  FOREIGN_PAGE(1008, "pages of this origin may not use this server"),
  FLOOD(1008, "more pings and pongs than allowed"),
  TOO_BIG(1009, "message too long for this server"),
  /** As with 1001, but messages of this connection may not have been accepted. */
  COME_BACK(1012, "reconnect after 0 ms"),
  FULL(1013, "too many connections, try later"),
  /** In the handshake, the text names the problem with the token. */
  NO_ACCESS(4001, "no access with this token"),
  EXPIRED(4002, "the token has expired: reconnect with a new one"),
  NOT_JOINED(4003, "no JOIN in time: reconnect and send JOIN at once"),
  REMOVED(4005, "removed from the room by a moderator"),
  SLOW_CONSUMER(4008, "slow consumer: fell behind its bound"),
  TAKEN_OVER(4009, "taken over by a newer connection of the same user"),
  GAP(4010, "messages may be missing: reconnect");

  private final int code;
  private final String text;

  CloseReason(int code, String text) {
    this.code = code;
    this.text = text;
  }

  public int code() {
    return code;
  }

  /** Returns the reason sent with the close frame; at most 123 bytes. */
  public String text() {
    return text;
  }
}
