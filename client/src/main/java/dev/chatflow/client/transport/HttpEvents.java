package dev.chatflow.client.transport;

/** How a request ended; called on its load thread, once for each request. */
public interface HttpEvents {

  /**
   * An answer came.
   *
   * @param retryAfterMillis the server's wish; 0 without one
   */
  void answered(int status, long retryAfterMillis);

  /** The connection failed before the answer. */
  void failed(String reason);
}
