package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * When one user was a member of its room: from its JOIN seen to its LEAVE written, with the gaps of
 * lost connections. Belongs to the load thread of its room.
 */
final class Membership {

  /**
   * A lost connection: per sender the highest number seen before it, and when membership began
   * again. The numbers above and written before the new beginning are optional.
   */
  private static final class Gap {
    final int[] highestBefore;
    final long rejoinedNanos;

    Gap(int[] highestBefore, long rejoinedNanos) {
      this.highestBefore = highestBefore;
      this.rejoinedNanos = rejoinedNanos;
    }
  }

  private final List<Gap> gaps = new ArrayList<>();
  private int[] highestAtLoss = {};
  private boolean member;
  private long joinedNanos = Long.MAX_VALUE;
  private long leaveNanos = Long.MAX_VALUE;
  private boolean lostForGood;

  void joined(long nanos) {
    if (joinedNanos == Long.MAX_VALUE) {
      joinedNanos = nanos;
    } else {
      gaps.add(new Gap(highestAtLoss, nanos));
    }
    member = true;
    lostForGood = false;
  }

  void leaves(long nanos) {
    leaveNanos = nanos;
  }

  void left() {
    member = false;
  }

  void lost(int[] highest) {
    highestAtLoss = highest;
    member = false;
    lostForGood = true;
  }

  boolean isMember() {
    return member;
  }

  boolean isLostForGood() {
    return lostForGood;
  }

  long joinedNanos() {
    return joinedNanos;
  }

  long leaveNanos() {
    return leaveNanos;
  }

  /** Whether a message falls into a gap, or after the loss that was never mended. */
  boolean excuses(int sender, int seq, long writtenNanos) {
    if (lostForGood && seq > highestAtLoss[sender]) {
      return true;
    }
    for (Gap gap : gaps) {
      if (seq > gap.highestBefore[sender] && writtenNanos < gap.rejoinedNanos) {
        return true;
      }
    }
    return false;
  }

  boolean isUninterrupted() {
    return joinedNanos != Long.MAX_VALUE && !wasInterrupted();
  }

  boolean wasInterrupted() {
    return lostForGood || !gaps.isEmpty();
  }
}
