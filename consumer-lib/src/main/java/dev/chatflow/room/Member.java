package dev.chatflow.room;

/**
 * A connection as the rooms see it.
 *
 * <p>Thread-safe; no call parks its caller or calls back into the room.
 */
public interface Member {

  /** Returns the id of the connection, unique over servers and boots. */
  String connectionId();

  FrameSink sink();

  /** Reports that the member's JOIN was written, with all the past it requested. */
  void entered();

  /** Sends a frame to this connection only, after everything written to it so far. */
  void sendPrivately(byte[] frame);

  /** Starts to close the connection; the first of several calls decides the reason. */
  void close(CloseReason reason);

  /**
   * Pauses ({@code true}) or resumes ({@code false}) reading from a connection that is behind as a
   * receiver.
   */
  void pauseWhileBehind(boolean behind);
}
