package dev.chatflow.server.lane;

/** What a lane counts. Called by the lane's thread; no call parks it. */
public interface LaneMeter {

  /**
   * The broker has an entry.
   *
   * @param lines the messages in it, 0 for a beacon
   * @param retries how often it was published again
   */
  void confirmed(int lines, int retries);

  /** An attempt to publish an entry failed; it will be published again. */
  void failed(long number, Confirm outcome);
}
