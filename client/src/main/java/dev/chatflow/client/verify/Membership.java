package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * The periods in which a user was a member of its room, from its observed JOIN to its written
 * LEAVE. Lost connections leave gaps, and a LEAVE before another JOIN an absence. A user that
 * resumes after a loss has no gap: it must receive everything. Belongs to the load thread of its
 * room.
 */
final class Membership {

  /**
   * A lost connection: the highest number seen per sender before it, and the time of the next
   * membership. Higher numbers written before that time are optional.
   */
  private static final class Gap {
    final int[] highestBefore;
    final long rejoinedNanos;

    Gap(int[] highestBefore, long rejoinedNanos) {
      this.highestBefore = highestBefore;
      this.rejoinedNanos = rejoinedNanos;
    }
  }

  /**
   * An absence after a LEAVE of the user. Messages echoed after the LEAVE was written are optional.
   */
  private record Absence(long leaveNanos, long rejoinedNanos) {
    boolean excuses(long writtenNanos, long endNanos) {
      return endNanos > leaveNanos && writtenNanos < rejoinedNanos;
    }
  }

  private final List<Absence> absences = new ArrayList<>();
  private final List<Gap> gaps = new ArrayList<>();
  private int[] highestAtLoss = {};
  private boolean member;
  private long joinedNanos = Long.MAX_VALUE;
  private long leaveNanos = Long.MAX_VALUE;
  private boolean lostForGood;
  private boolean resumed;

  void joined(long nanos) {
    if (joinedNanos == Long.MAX_VALUE) {
      joinedNanos = nanos;
    } else if (leaveNanos != Long.MAX_VALUE) {
      absences.add(new Absence(leaveNanos, nanos));
      leaveNanos = Long.MAX_VALUE;
    } else {
      gaps.add(new Gap(highestAtLoss, nanos));
    }
    member = true;
    lostForGood = false;
  }

  /** Continues where the connection was lost, without a gap. */
  void resumed() {
    member = true;
    lostForGood = false;
    resumed = true;
  }

  boolean hasResumed() {
    return resumed;
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

  /**
   * Returns whether a message falls into a gap, an absence, or the time after an unrecovered loss.
   *
   * @param endNanos time of its echo; the write time while there is no echo
   */
  boolean excuses(int sender, int seq, long writtenNanos, long endNanos) {
    if (lostForGood && seq > highestAtLoss[sender]) {
      return true;
    }
    for (Absence absence : absences) {
      if (absence.excuses(writtenNanos, endNanos)) {
        return true;
      }
    }
    for (Gap gap : gaps) {
      if (seq > gap.highestBefore[sender] && writtenNanos < gap.rejoinedNanos) {
        return true;
      }
    }
    return false;
  }

  boolean wasInterrupted() {
    return lostForGood || !gaps.isEmpty() || !absences.isEmpty();
  }
}
