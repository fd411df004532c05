package dev.chatflow.client.transport;

/** The kept HTTP connection of one user, with one request at a time. */
public interface HttpChannel {
  /** The outcome of a request, called on its load thread, once for each request. */
  interface Events {

    /**
     * An answer arrived.
     *
     * @param retryAfterMillis the server's {@code Retry-After}; 0 without one
     */
    void answered(int status, long retryAfterMillis);

    /** The connection failed before the answer. */
    void failed(String reason);
  }

  /**
   * Posts a JSON body; connects first if necessary. The events report the answer.
   *
   * @param idempotencyKey under which the server recognises a repeat
   * @param headers additional lines of the request, each with its line end
   */
  void post(byte[] body, String idempotencyKey, String headers);

  /** Drops the connection and the request on it; no event follows. */
  void abort();
}
