package dev.chatflow.client.transport;

/** A client's end of a WebSocket; belongs to its load thread. */
public interface Connection {

  /**
   * Writes the frames of the batch and empties it. What the socket does not take is kept and
   * written as soon as it does; until then {@link #isWritable} is false and no batch may be
   * written.
   *
   * @return how many frames of the batch the socket took whole
   */
  int write(FrameBatch batch);

  boolean isWritable();

  /** Asks for one {@link ConnectionEvents#writable} as soon as the socket takes more. */
  void awaitWritable();

  /** Reads nothing more until {@link #resumeReading}: the server sees a slow consumer. */
  void pauseReading();

  void resumeReading();

  /** Starts the close handshake. */
  void close(int code);

  /** Ends the connection without a close frame; no event follows. */
  void abort();
}
