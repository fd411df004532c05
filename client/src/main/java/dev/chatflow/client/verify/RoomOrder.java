package dev.chatflow.client.verify;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the order in which each member of a room receives messages, and reports differences to the
 * ledger. Does nothing if the order is not checked.
 *
 * <p>Belongs to the load thread of the room.
 */
public final class RoomOrder {
  private final @Nullable RoomSequence sequence;
  private final RoomLedger ledger;
  private final OtherParts others;

  /**
   * Creates the check of a room without messages.
   *
   * @param sequence null if the order is not checked
   */
  public RoomOrder(@Nullable RoomSequence sequence, RoomLedger ledger, OtherParts others) {
    this.sequence = sequence;
    this.ledger = ledger;
    this.others = others;
  }

  public boolean isChecked() {
    return sequence != null;
  }

  /** Records that a user that is no member wrote this JOIN. */
  public void joining(int roomIndex, long dueMicros) {
    if (sequence != null) {
      sequence.joining(roomIndex, dueMicros);
    }
  }

  /**
   * Records that a member received its JOIN, after which its frames begin.
   *
   * @param quiet whether the JOIN was sent only to its own connection
   * @param resumed whether its membership continues after the frame it named
   */
  public void joined(int roomIndex, long dueMicros, boolean quiet, boolean resumed) {
    if (sequence == null) {
      return;
    }
    if (quiet) {
      sequence.joinedQuietly(roomIndex, resumed);
    } else {
      compared(
          resumed ? sequence.cameBack(roomIndex, dueMicros) : sequence.joined(roomIndex, dueMicros),
          roomIndex,
          roomIndex,
          0);
    }
    if (!resumed) {
      sequence.takeMissed(roomIndex).forEach(missed -> lost(roomIndex, missed));
    }
  }

  /** Records that a member received a text or a LEAVE. */
  public void saw(int roomIndex, int sender, int seq) {
    if (sequence != null) {
      compared(sequence.saw(roomIndex, sender, seq), roomIndex, sender, seq);
    }
  }

  /** Records that a member received the JOIN of another user. */
  public void sawJoin(int roomIndex, int sender, long dueMicros) {
    if (sequence != null) {
      compared(sequence.sawJoin(roomIndex, sender, dueMicros), roomIndex, sender, 0);
    }
  }

  /** Records a message from before the member's JOIN; number 0 is a JOIN. */
  public void pastMessage(int roomIndex, int sender, int seq, long dueMicros) {
    if (sequence != null) {
      boolean agrees =
          seq == 0
              ? sequence.pastJoin(roomIndex, sender, dueMicros)
              : sequence.pastMessage(roomIndex, sender, seq);
      compared(agrees, roomIndex, sender, seq);
    }
  }

  /** Records that a member lost its connection and may resume. */
  public void disconnected(int roomIndex) {
    if (sequence != null) {
      sequence.disconnected(roomIndex);
    }
  }

  /** Records that a member will not return. */
  public void departed(int roomIndex) {
    settle(roomIndex);
    if (sequence != null) {
      sequence.departed(roomIndex);
    }
  }

  /**
   * Judges missing messages that the ledger does not have: JOINs for resumed members, and messages
   * of other parts for all.
   */
  public void settle(int roomIndex) {
    boolean resumed = ledger.hasResumed(roomIndex);
    if (sequence != null && (resumed || others.areThere())) {
      sequence.takeMissed(roomIndex).stream()
          .filter(missed -> (resumed && missed.seq() == 0) || others.has(missed.sender()))
          .forEach(missed -> lost(roomIndex, missed));
    }
  }

  /** Returns the order in which the members received the room's messages, if it was kept. */
  public Stream<RoomSequence.Ordered> order() {
    return sequence == null ? Stream.empty() : sequence.order();
  }

  private void compared(boolean agrees, int roomIndex, int sender, int seq) {
    if (!agrees) {
      ledger.found(Defect.DIVERGENT, roomIndex, sender, seq);
    }
  }

  private void lost(int roomIndex, RoomSequence.Missed missed) {
    ledger.found(Defect.LOST, roomIndex, missed.sender(), missed.seq());
  }
}
