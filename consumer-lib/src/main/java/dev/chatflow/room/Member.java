package dev.chatflow.room;

/**
 * One connection as the rooms see it.
 *
 * <p>Any thread may call; no call parks its caller or calls back into the room.
 */
public interface Member {

  /** The longest message of a member, in bytes of UTF-8, fragments added up. */
  int MAX_MESSAGE_BYTES = 8_192;

  /** The id of the connection, unique over servers and boots. */
  String connectionId();

  FrameSink sink();

  /** Its own JOIN has been written, and with it all that it asked for of the past. */
  void entered();

  /** Tells the connection alone a frame of the room, behind what was written to it so far. */
  void sendPrivately(byte[] frame);

  /** Starts to close the connection; of several calls the first decides the reason. */
  void close(CloseReason reason);

  /**
   * Stops ({@code true}) or allows ({@code false}) the reading of a connection that is behind as a
   * receiver.
   */
  void pauseWhileBehind(boolean behind);
}
