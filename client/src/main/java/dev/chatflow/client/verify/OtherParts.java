package dev.chatflow.client.verify;

import java.util.stream.IntStream;

/**
 * Counts the messages received here from users that other parts of the run play in one room.
 *
 * <p>The plan determines how many texts each of them writes; only their part knows when. Belongs to
 * one load thread.
 */
public final class OtherParts {
  private final int firstIndex;
  private final int endIndex;
  private final int[] texts;
  private final boolean openEnded;
  private final long senders;

  private long delivered;
  private long lasts;

  /**
   * @param firstIndex index of the first user played here
   * @param endIndex index after the last user played here
   * @param texts number of texts by index in the room
   * @param openEnded whether time, not the number of texts, ends the run
   */
  public OtherParts(int firstIndex, int endIndex, int[] texts, boolean openEnded) {
    this.firstIndex = firstIndex;
    this.endIndex = endIndex;
    this.texts = texts.clone();
    this.openEnded = openEnded;
    senders =
        IntStream.range(0, texts.length)
            .filter(roomIndex -> has(roomIndex) && texts[roomIndex] > 0)
            .count();
  }

  /** Returns whether other parts play users of the room. */
  public boolean areThere() {
    return endIndex - firstIndex < texts.length;
  }

  /** Returns whether another part plays this user of the room. */
  public boolean has(int roomIndex) {
    boolean here = roomIndex >= firstIndex && roomIndex < endIndex;
    return roomIndex >= 0 && roomIndex < texts.length && !here;
  }

  /**
   * Records a copy from one of them and returns whether it is a text. The number after the last
   * text is the LEAVE.
   */
  public boolean delivered(int roomIndex, int seq) {
    int last = texts[roomIndex];
    if (seq > last) {
      return false;
    }
    delivered++;
    lasts += seq == last ? 1 : 0;
    return true;
  }

  /** Returns the number of copies of texts. */
  public long delivered() {
    return delivered;
  }

  /**
   * Returns whether all members here have the last text of each of them.
   *
   * @param present number of members here; before its JOIN, a member receives nothing
   * @param quiet whether nothing arrived for a while, which decides if time ends the run
   */
  public boolean areDrained(int present, boolean quiet) {
    return openEnded ? senders == 0 || quiet : lasts >= senders * present;
  }
}
