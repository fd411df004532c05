package dev.chatflow.room;

/**
 * Why a connection is closed: WebSocket close code, text, and whether the client should come back.
 */
public enum CloseReason {
  NORMAL(1000, "", Reconnect.NO),
  /** The text is made for each session: {@code reconnect after N ms}. */
  GOING_AWAY(1001, "reconnect after 0 ms", Reconnect.ELSEWHERE),
  BROKEN_FRAME(1002, "broken frame", Reconnect.NO),
  BINARY(1003, "text messages only", Reconnect.NO),
  BAD_UTF8(1007, "payload is not UTF-8", Reconnect.NO),
  REFUSED(1008, "too many malformed messages in a row", Reconnect.NO),
  TOO_BIG(1009, "message longer than 8192 bytes", Reconnect.NO),
  FULL(1013, "too many connections, try later", Reconnect.LATER),
  SLOW_CONSUMER(4008, "slow consumer: fell behind its bound", Reconnect.YES),
  TAKEN_OVER(4009, "taken over by a newer connection of the same user", Reconnect.NO),
  GAP(4010, "messages may be missing: the server lost the room's continuity", Reconnect.YES);

  /** What a client does after a close. */
  public enum Reconnect {
    NO,
    YES,
    ELSEWHERE,
    LATER
  }

  private final int code;
  private final String text;
  private final Reconnect reconnect;

  CloseReason(int code, String text, Reconnect reconnect) {
    this.code = code;
    this.text = text;
    this.reconnect = reconnect;
  }

  public int code() {
    return code;
  }

  /** The reason sent with the close frame; at most 123 bytes. */
  public String text() {
    return text;
  }

  public Reconnect reconnect() {
    return reconnect;
  }
}
