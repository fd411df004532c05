package dev.chatflow.client.transport;

/** What happens to a connection; called on its load thread. */
public interface ConnectionEvents {
  /** No close frame came: the connection just ended. */
  int ABNORMAL = 1006;

  /** Nothing went wrong. */
  int NORMAL = 1000;

  void opened();

  /** The connect or the upgrade failed; nothing else follows. */
  void refused(String reason);

  /** A text message; the bytes are valid only during the call. */
  void text(byte[] bytes, int from, int to);

  /**
   * A binary message, as {@link #text}. Servers of ChatFlow send none.
   *
   * @return whether it was expected; the connection is closed with 1003 when it was not
   */
  default boolean binary(byte[] bytes, int from, int to) {
    return false;
  }

  /** The frames kept by {@link Connection#write} are written, or the awaited room is there. */
  void writable();

  /** The connection is over, by whomever; nothing else follows. */
  void closed(int code, String reason);
}
