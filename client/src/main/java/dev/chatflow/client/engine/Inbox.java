package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.Notice;
import org.jspecify.annotations.Nullable;

/**
 * The frames that one user receives: separates frames of the room's past from current ones, and
 * messages from everything else.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Inbox {
  private final LoadContext context;
  private final RoomBook book;
  private final Member member;
  private final Past past;

  Inbox(LoadContext context, RoomBook book, Member member, Past past) {
    this.context = context;
    this.book = book;
    this.member = member;
    this.past = past;
  }

  /** Takes a frame in which the context's scan has found a head of this run. */
  RoomBook.Receipt message(byte[] bytes, int from, int to) {
    FrameScan scan = context.scan;
    boolean own = scan.sender() == member.index;
    boolean awaited = own && scan.seq() == 0 && member.isJoin(scan.dueMicros());
    Past.Part part = partOf(awaited, bytes, from, to);
    if (past.keeps() && isUnbroken(awaited) && !(own && hasNoPlace(scan))) {
      past.took(bytes, from, to);
    }
    switch (part) {
      case NAMED -> book.resumed(member);
      case HISTORY -> {
        context.tally.count(Count.HISTORY_FRAMES);
        book.recalled(member, scan);
      }
      case OTHER -> {
        return book.received(member, scan);
      }
    }
    return RoomBook.Receipt.TAKEN;
  }

  /**
   * What a frame of the room is.
   *
   * @param ownJoin whether it is the JOIN that the user waits for
   */
  private Past.Part partOf(boolean ownJoin, byte[] bytes, int from, int to) {
    boolean before = member.state().isAwaitingJoin() && !ownJoin;
    return before ? past.before(bytes, from, to) : Past.Part.OTHER;
  }

  /**
   * Whether a frame of the user's own stands nowhere in the room, so that none can be behind it.
   */
  private static boolean hasNoPlace(FrameScan scan) {
    return scan.seq() == 0 ? scan.isQuiet() : scan.isRepeat();
  }

  /** Whether the user has all that its room said before the frame, as far as it is told. */
  private boolean isUnbroken(boolean ownJoin) {
    return !member.state().isAwaitingJoin() || ownJoin || past.isResumed();
  }

  /** Takes a frame without head; returns the refusal when it is one. */
  Notice.@Nullable Refusal notice(byte[] bytes, int from, int to) {
    switch (Notice.of(bytes, from, to, context.plan.runId())) {
      case Notice.Refusal refusal -> {
        return refusal;
      }
      case Notice.Foreign foreign -> foreign(foreign, bytes, from, to);
      case Notice.Unreadable _ -> context.tally.count(Count.UNREADABLE_FRAMES);
    }
    return null;
  }

  /** A frame of the room that this run did not write. */
  private void foreign(Notice.Foreign frame, byte[] bytes, int from, int to) {
    Past.Part part = partOf(false, bytes, from, to);
    if (isUnbroken(false)) {
      past.took(bytes, from, to);
    }
    switch (part) {
      case NAMED -> book.resumed(member);
      case HISTORY -> context.tally.count(Count.HISTORY_FRAMES);
      case OTHER ->
          context.tally.count(frame.synthetic() ? Count.SYNTHETIC_LEAVES : Count.FOREIGN_FRAMES);
    }
  }
}
