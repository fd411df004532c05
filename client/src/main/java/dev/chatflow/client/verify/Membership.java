package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * When one user was a member of its room: from its JOIN seen to its LEAVE written, with the gaps of
 * lost connections and the absences between a LEAVE and the next JOIN. Who resumes after a loss has
 * no gap: it is owed everything. Belongs to the load thread of its room.
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

  /** Out of the room by its own LEAVE: what was echoed after it was written is optional. */
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

  /** Goes on where the connection was lost: there is no gap. */
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
   * Whether a message falls into a gap or absence, or after the loss that was never mended.
   *
   * @param endNanos when its sender saw it; as long as that is not known, when it was written
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
