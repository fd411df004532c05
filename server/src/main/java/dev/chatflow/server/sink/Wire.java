package dev.chatflow.server.sink;

import java.io.IOException;

/**
 * What the edge needs of a container's connection.
 *
 * <p>{@link #text}, {@link #flush} and {@link #ping} park the caller while the peer does not read,
 * at most the container's send timeout; one thread at a time calls them. The others may be called
 * by any thread.
 */
public interface Wire {

  /** From now on text messages may be gathered until {@link #flush}. */
  void gather() throws IOException;

  void text(String payload) throws IOException;

  /** Sends what was gathered, and gathers no more. */
  void flush() throws IOException;

  void ping() throws IOException;

  /** Closes the connection; parks the caller for a moment at most. */
  void close(int code, String reason);

  /**
   * Ends the connection without waiting for the peer; the close frame leaves only if it does at
   * once. Parks the caller for a moment at most.
   */
  void abort(int code, String reason);

  /** Whether the peer has answered the close, or has gone: the connection is over for both. */
  boolean isAnswered();

  /** Frames of any kind that were read, pings and pongs too; 0 where the container hides that. */
  long framesRead();

  /** Stops reading. Called on a change only. */
  void suspend();

  /** Reads again. Called on a change only. */
  void resume();
}
