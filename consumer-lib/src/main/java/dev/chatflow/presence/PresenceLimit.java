package dev.chatflow.presence;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many people a server keeps of all rooms. Its own members always have a place; of others those
 * who come beyond the bound are left out, and what is told is incomplete. Any thread.
 */
public final class PresenceLimit {

  private final int most;
  private final AtomicInteger kept = new AtomicInteger();
  private final AtomicLong omitted = new AtomicLong();

  /**
   * @param most people at most; below nine tenths of it those who were left out are asked for
   */
  public PresenceLimit(int most) {
    this.most = most;
  }

  /** Takes a place; false when there is none, which is counted. */
  boolean take(boolean own) {
    if (!own && kept.get() >= most) {
      omitted.incrementAndGet();
      return false;
    }
    kept.incrementAndGet();
    return true;
  }

  void giveBack(int members) {
    kept.addAndGet(-members);
  }

  boolean hasSpaceAgain() {
    return kept.get() < most - most / 10;
  }

  /** People that are kept now. */
  public int kept() {
    return kept.get();
  }

  /** How often somebody was left out. */
  public long omitted() {
    return omitted.get();
  }
}
