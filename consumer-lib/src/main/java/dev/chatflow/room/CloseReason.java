package dev.chatflow.room;

/** Why we close a connection: WebSocket close code and text. The container has codes of its own. */
public enum CloseReason {
  NORMAL(1000, ""),
  /** The text is made for each session: {@code reconnect after N ms}. */
  GOING_AWAY(1001, "reconnect after 0 ms"),
  /** A peer that has gone hears it no more; one that is there after all is to come back. */
  PEER_LOST(1001, "no sign of life from the client"),
  BINARY(1003, "text messages only"),
  REFUSED(1008, "too many malformed messages in a row"),
  /** At the handshake the text names the origin and the setting. */
  FOREIGN_PAGE(1008, "pages of this origin may not talk to this server"),
  FLOOD(1008, "more pings and pongs than allowed"),
  TOO_BIG(1009, "message longer than " + Member.MAX_MESSAGE_BYTES + " bytes"),
  /** As with 1001; what this connection sent may not have been taken. */
  COME_BACK(1012, "reconnect after 0 ms"),
  FULL(1013, "too many connections, try later"),
  /** At the handshake the text says what is wrong with the token. */
  NO_ACCESS(4001, "no access: not with this token, or not any more"),
  EXPIRED(4002, "the token has expired: come back with a new one"),
  NOT_JOINED(4003, "no JOIN in time: connect again, and join at once"),
  SLOW_CONSUMER(4008, "slow consumer: fell behind its bound"),
  TAKEN_OVER(4009, "taken over by a newer connection of the same user"),
  GAP(4010, "messages may be missing: the server lost the room's continuity");

  private final int code;
  private final String text;

  CloseReason(int code, String text) {
    this.code = code;
    this.text = text;
  }

  public int code() {
    return code;
  }

  /** The reason sent with the close frame; at most 123 bytes. */
  public String text() {
    return text;
  }
}
