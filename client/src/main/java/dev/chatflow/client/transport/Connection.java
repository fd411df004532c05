package dev.chatflow.client.transport;

/** The client side of a WebSocket. Belongs to its load thread. */
public interface Connection {

  /**
   * Writes the frames of the batch and empties it. The rest that the socket does not accept is kept
   * and written later; until then {@link #isWritable} is false and no batch may be written.
   *
   * @return number of frames that the socket accepted completely
   */
  int write(FrameBatch batch);

  boolean isWritable();

  /** Requests one {@link ConnectionEvents#writable} event when the socket accepts more. */
  void awaitWritable();

  /** Stops reading until {@link #resumeReading}, so that the server sees a slow consumer. */
  void pauseReading();

  void resumeReading();

  /** Starts the close handshake. */
  void close(int code);

  /** Ends the connection without a close frame; no event follows. */
  void abort();
}
