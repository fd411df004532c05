package dev.chatflow.client.verify;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds what each member of a room sees against the one order of all, and tells the ledger where
 * they differ. Where the order is not asked for, it judges nothing.
 *
 * <p>Belongs to the load thread of the room.
 */
public final class RoomOrder {
  private final @Nullable RoomSequence sequence;
  private final RoomLedger ledger;
  private final OtherParts others;

  /**
   * Of a room in which nothing was said.
   *
   * @param sequence null when the order is not asked for
   */
  public RoomOrder(@Nullable RoomSequence sequence, RoomLedger ledger, OtherParts others) {
    this.sequence = sequence;
    this.ledger = ledger;
    this.others = others;
  }

  public boolean isAskedFor() {
    return sequence != null;
  }

  /** A member, not of the room yet, wrote this JOIN. */
  public void joining(int place, long dueMicros) {
    if (sequence != null) {
      sequence.joining(place, dueMicros);
    }
  }

  /**
   * A member saw its own JOIN, behind which it begins.
   *
   * @param quiet whether nobody else is shown it
   * @param resumed whether it is a member since the frame it named
   */
  public void joined(int place, long dueMicros, boolean quiet, boolean resumed) {
    if (sequence == null) {
      return;
    }
    if (quiet) {
      sequence.joinedQuietly(place, resumed);
    } else {
      compared(
          resumed ? sequence.cameBack(place, dueMicros) : sequence.joined(place, dueMicros),
          place,
          place,
          0);
    }
    if (!resumed) {
      sequence.takeMissed(place).forEach(missed -> lost(place, missed));
    }
  }

  /** A member saw a text or a LEAVE. */
  public void saw(int place, int sender, int seq) {
    if (sequence != null) {
      compared(sequence.saw(place, sender, seq), place, sender, seq);
    }
  }

  /** A member saw the JOIN of somebody else. */
  public void sawJoin(int place, int sender, long dueMicros) {
    if (sequence != null) {
      compared(sequence.sawJoin(place, sender, dueMicros), place, sender, 0);
    }
  }

  /** A member is shown what was said before its own JOIN; number 0 is a JOIN. */
  public void recalled(int place, int sender, int seq, long dueMicros) {
    if (sequence != null) {
      boolean agrees =
          seq == 0
              ? sequence.recalledJoin(place, sender, dueMicros)
              : sequence.recalled(place, sender, seq);
      compared(agrees, place, sender, seq);
    }
  }

  /** A member lost its connection, and may resume. */
  public void away(int place) {
    if (sequence != null) {
      sequence.away(place);
    }
  }

  /** A member is gone for good. */
  public void gone(int place) {
    settle(place);
    if (sequence != null) {
      sequence.gone(place);
    }
  }

  /**
   * Judges what is absent: who resumed must have seen every JOIN, and everybody what users of other
   * parts wrote; the ledger itself keeps texts and LEAVEs of users here only.
   */
  public void settle(int place) {
    boolean resumed = ledger.hasResumed(place);
    if (sequence != null && (resumed || others.areThere())) {
      sequence.takeMissed(place).stream()
          .filter(missed -> (resumed && missed.seq() == 0) || others.has(missed.sender()))
          .forEach(missed -> lost(place, missed));
    }
  }

  /** In which order the members saw the room's messages, if that was kept. */
  public Stream<RoomSequence.Ordered> order() {
    return sequence == null ? Stream.empty() : sequence.order();
  }

  private void compared(boolean agrees, int place, int sender, int seq) {
    if (!agrees) {
      ledger.found(Defect.DIVERGENT, place, sender, seq);
    }
  }

  private void lost(int place, RoomSequence.Missed missed) {
    ledger.found(Defect.LOST, place, missed.sender(), missed.seq());
  }
}
