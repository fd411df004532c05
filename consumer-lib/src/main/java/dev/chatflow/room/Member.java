package dev.chatflow.room;

/**
 * One connection as the rooms see it.
 *
 * <p>Any thread may call; no call parks its caller or calls back into the room.
 */
public interface Member {

  /** The id of the connection, unique over servers and boots. */
  String session();

  FrameSink sink();

  /** Starts to close the connection; of several calls the first decides the reason. */
  void close(CloseReason reason);

  /**
   * Stops ({@code true}) or allows ({@code false}) the reading of a connection that is behind as a
   * receiver.
   */
  void pauseWhileBehind(boolean behind);
}
