package dev.chatflow.client.transport;

/** One user's way of posting: a connection that is kept and carries one request at a time. */
public interface HttpChannel {

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
