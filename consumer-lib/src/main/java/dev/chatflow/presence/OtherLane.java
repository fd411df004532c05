package dev.chatflow.presence;

import dev.chatflow.presence.PresenceMap.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of another lane: whether its members are known, and how many it had after each of its
 * last {@value #FLIGHTS} entries. One thread.
 */
final class OtherLane {

  static final int FLIGHTS = 32;

  private final long[] flights = new long[FLIGHTS];
  private final Tally[] tallies = new Tally[FLIGHTS];
  private int next;

  private final List<Page> pages = new ArrayList<>();
  private boolean answered;
  private boolean announcedLost;
  private long lastBeat;

  /**
   * Creates the state of a lane observed at this beat.
   *
   * @param answered whether all its members are known
   */
  OtherLane(boolean answered, long beat) {
    this.answered = answered;
    this.lastBeat = beat;
  }

  boolean isAnswered() {
    return answered;
  }

  void answered() {
    answered = true;
    pages.clear();
  }

  /** Marks its members as unknown. */
  void ask() {
    answered = false;
    pages.clear();
  }

  void observed(long beat) {
    lastBeat = beat;
    announcedLost = false;
  }

  /** Returns how many of this server's beats were read back since its last entry. */
  long quiet(long beat) {
    return beat - lastBeat;
  }

  /** Marks it as announced lost; false if it was already since its last entry. */
  boolean announceLost() {
    boolean first = !announcedLost;
    announcedLost = true;
    return first;
  }

  /** Notes the number of its members after one of its entries. */
  void note(long flight, Tally tally) {
    flights[next] = flight;
    tallies[next] = tally;
    next = (next + 1) % FLIGHTS;
  }

  /**
   * Returns its members after one of its entries; null if that was too long ago or was not read.
   */
  @Nullable Tally behind(long flight) {
    for (int i = 0; i < FLIGHTS; i++) {
      if (flights[i] == flight && tallies[i] != null) {
        return tallies[i];
      }
    }
    return null;
  }

  /** Takes a page; returns the whole snapshot if this was the last page, else null. */
  @Nullable List<Page> take(Page page) {
    if (!pages.isEmpty() && !pages.getFirst().request().equals(page.request())) {
      pages.clear(); // a newer snapshot
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
