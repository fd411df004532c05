package dev.chatflow.client.transport;

/** The events of a connection, called on its load thread. */
public interface ConnectionEvents {
  /** The close code without a close frame. */
  int ABNORMAL = 1006;

  /** The close code of a normal end. */
  int NORMAL = 1000;

  void opened();

  /** The connection could not be opened; no other event follows. */
  void refused(String reason);

  /** A text message arrived; the bytes are valid only during the call. */
  void text(byte[] bytes, int from, int to);

  /**
   * A binary message arrived, as in {@link #text}. ChatFlow's servers send none.
   *
   * @return whether it was expected; otherwise the connection is closed with 1003
   */
  default boolean binary(byte[] bytes, int from, int to) {
    return false;
  }

  /** The kept frames of {@link Connection#write} are written, or the socket accepts more. */
  void writable();

  /** The connection ended; no other event follows. */
  void closed(int code, String reason);
}
