package dev.chatflow.client.transport;

/** One user's way of posting: a connection that is kept and carries one request at a time. */
public interface HttpChannel {
  /** How a request ended; called on its load thread, once for each request. */
  interface Events {

    /**
     * An answer came.
     *
     * @param retryAfterMillis the server's wish; 0 without one
     */
    void answered(int status, long retryAfterMillis);

    /** The connection failed before the answer. */
    void failed(String reason);
  }

  /**
   * Posts a JSON body; connects first when there is no connection. The events tell the answer.
   *
   * @param idempotencyKey under which the server recognises a repeat
   * @param headers further lines of the request, each with its line end
   */
  void post(byte[] body, String idempotencyKey, String headers);

  /** Drops the connection and the request on it; no event follows. */
  void abort();
}
