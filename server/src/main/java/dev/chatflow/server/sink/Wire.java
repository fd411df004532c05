package dev.chatflow.server.sink;

import java.io.IOException;

/**
 * A container's connection as the edge needs it.
 *
 * <p>{@link #text}, {@link #flush} and {@link #ping} park the caller while the peer does not read,
 * at most for the container's send timeout; one thread at a time calls them. The others are
 * thread-safe.
 */
public interface Wire {

  /** Allows text messages to be gathered until {@link #flush}. */
  void gather() throws IOException;

  void text(String payload) throws IOException;

  /** Sends the gathered messages, and stops gathering. */
  void flush() throws IOException;

  void ping() throws IOException;

  /** Closes the connection; parks the caller for at most a moment. */
  void close(int code, String reason);

  /**
   * Ends the connection without waiting for the peer; the close frame is sent only if that is
   * possible at once. Parks the caller for at most a moment.
   */
  void abort(int code, String reason);

  /**
   * Returns whether the peer has answered the close, or is lost: the connection is over for both.
   */
  boolean isAnswered();

  /** Returns the number of frames read, including pings and pongs; 0 if the container hides it. */
  long framesRead();

  /** Stops reading. Called only on a change. */
  void suspend();

  /** Resumes reading. Called only on a change. */
  void resume();
}
