package dev.chatflow.room;

/**
 * A reader of a room's log, served by the room's rounds.
 *
 * <p>Called by one writer at a time, never reentrantly.
 */
public interface Reader {

  /**
   * Starts a write of the frames that the reader does not have yet, unless it is closed, has a
   * write in flight or waits for another reader. Never parks.
   *
   * @param tail how far the log reaches
   * @param tally receives the result
   */
  void serve(Boundary tail, Round.Tally tally);
}
