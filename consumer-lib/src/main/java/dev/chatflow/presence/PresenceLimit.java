package dev.chatflow.presence;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the members of all rooms that a server keeps. Its own members are always kept; members of
 * other servers beyond the limit are omitted, and answers are then incomplete. Thread-safe.
 */
public final class PresenceLimit {

  private final int most;
  private final AtomicInteger kept = new AtomicInteger();
  private final AtomicLong omitted = new AtomicLong();

  /**
   * @param most maximum number of members; below nine tenths of it, omitted members are requested
   *     again
   */
  public PresenceLimit(int most) {
    this.most = most;
  }

  /** Counts one more member; false if it has to be omitted, which is counted too. */
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

  /** Returns the number of members kept now. */
  public int kept() {
    return kept.get();
  }

  /** Returns how often a member was omitted. */
  public long omitted() {
    return omitted.get();
  }
}
