package dev.chatflow.room;

/**
 * One reader of a room's log, as the room's rounds serve it.
 *
 * <p>One writer at a time calls, and never while the reader's own call lasts.
 */
public interface Reader {

  /**
   * Starts a write of what the reader lacks, unless it is closed, has a write in the air or waits
   * for another reader; never parks.
   *
   * @param tail how far the log reaches
   * @param tally is told what came of it
   */
  void serve(Boundary tail, Round.Tally tally);
}
