package dev.chatflow.client.verify;

import java.util.stream.IntStream;

/**
 * Counts what one room's users of other parts of the run are known to have said here.
 *
 * <p>How many texts each of them writes follows from the plan; when, only that part knows. Belongs
 * to one load thread.
 */
public final class OtherParts {
  private final int firstPlace;
  private final int endPlace;
  private final int[] texts;
  private final boolean openEnded;
  private final long senders;

  private long delivered;
  private long lasts;

  /**
   * @param firstPlace of the users who are here
   * @param endPlace behind the last of them
   * @param texts how many each place of the room writes
   * @param openEnded whether time ends the run, and not the number of texts
   */
  public OtherParts(int firstPlace, int endPlace, int[] texts, boolean openEnded) {
    this.firstPlace = firstPlace;
    this.endPlace = endPlace;
    this.texts = texts.clone();
    this.openEnded = openEnded;
    senders =
        IntStream.range(0, texts.length).filter(place -> has(place) && texts[place] > 0).count();
  }

  /** Whether some of the room are played elsewhere. */
  public boolean areThere() {
    return endPlace - firstPlace < texts.length;
  }

  /** Whether a place of the room is that of a user of another part. */
  public boolean has(int place) {
    boolean here = place >= firstPlace && place < endPlace;
    return place >= 0 && place < texts.length && !here;
  }

  /**
   * Takes a copy of what one of them wrote; whether it is a text. What comes behind the last one is
   * its LEAVE.
   */
  public boolean delivered(int place, int seq) {
    int last = texts[place];
    if (seq > last) {
      return false;
    }
    delivered++;
    lasts += seq == last ? 1 : 0;
    return true;
  }

  /** Copies of texts. */
  public long delivered() {
    return delivered;
  }

  /**
   * Whether all here have the last text of each of them.
   *
   * @param present members here; nothing is owed before their JOIN
   * @param quiet whether nothing came for a while, which decides where time ends the run
   */
  public boolean areDrained(int present, boolean quiet) {
    return openEnded ? senders == 0 || quiet : lasts >= senders * present;
  }
}
