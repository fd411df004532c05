package dev.chatflow.presence;

import dev.chatflow.presence.PresenceMap.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of another lane that is there: whether its members are known, and how many they
 * were behind its last {@value #FLIGHTS} entries. One thread.
 */
final class OtherLane {

  static final int FLIGHTS = 32;

  private final long[] flights = new long[FLIGHTS];
  private final Tally[] tallies = new Tally[FLIGHTS];
  private int next;

  private final List<Page> pages = new ArrayList<>();
  private boolean answered;
  private boolean announcedLost;
  private long heardBeat;

  /**
   * Makes one that was heard at this beat.
   *
   * @param answered whether all its members are known
   */
  OtherLane(boolean answered, long beat) {
    this.answered = answered;
    this.heardBeat = beat;
  }

  boolean isAnswered() {
    return answered;
  }

  void answered() {
    answered = true;
    pages.clear();
  }

  /** Its members are not what is known here. */
  void ask() {
    answered = false;
    pages.clear();
  }

  void observed(long beat) {
    heardBeat = beat;
    announcedLost = false;
  }

  /** Own beats that were read back without a word of it. */
  long quiet(long beat) {
    return beat - heardBeat;
  }

  /** Whether this server has not called it gone since it was heard; from now on it has. */
  boolean announceLost() {
    boolean first = !announcedLost;
    announcedLost = true;
    return first;
  }

  /** An entry of it was read: so many members it has behind that. */
  void note(long flight, Tally tally) {
    flights[next] = flight;
    tallies[next] = tally;
    next = (next + 1) % FLIGHTS;
  }

  /** Its members behind an entry of it; null when that was too long ago, or not read. */
  @Nullable Tally behind(long flight) {
    for (int i = 0; i < FLIGHTS; i++) {
      if (flights[i] == flight && tallies[i] != null) {
        return tallies[i];
      }
    }
    return null;
  }

  /** Takes a page; the whole answer when this was the last one, or null. */
  @Nullable List<Page> take(Page page) {
    if (!pages.isEmpty() && !pages.getFirst().request().equals(page.request())) {
      pages.clear(); // a newer answer
    }
    if (page.page() != pages.size() + 1) {
      pages.clear();
      return null;
    }
    pages.add(page);
    return page.page() == page.of() ? List.copyOf(pages) : null;
  }

  void forgetPages() {
    pages.clear();
  }
}
