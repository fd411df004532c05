package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.Notice;

/**
 * What one user does with the frames that come to it: tells those of the room's past from those of
 * now, its own from those of others, and messages from everything else.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Inbox {
  private final LoadContext context;
  private final Receipts room;
  private final User user;
  private final Past past;

  Inbox(LoadContext context, Receipts room, User user, Past past) {
    this.context = context;
    this.room = room;
    this.user = user;
    this.past = past;
  }

  void took(byte[] bytes, int from, int to) {
    FrameScan scan = context.scan;
    if (!scan.find(bytes, from, to)) {
      noticed(Notice.of(bytes, from, to, context.plan.runId()), bytes, from, to);
      return;
    }
    boolean own = scan.sender() == user.index();
    boolean awaited = own && scan.seq() == 0 && user.isJoin(scan.dueMicros());
    Past.Part part = partOf(awaited, bytes, from, to);
    if (past.keeps() && isUnbroken(awaited) && !(own && hasNoPlace(scan))) {
      past.took(bytes, from, to);
    }
    switch (part) {
      case NAMED -> room.resumed(user);
      case HISTORY -> {
        context.tally.count(Count.HISTORY_FRAMES);
        room.recalled(user, scan);
      }
      case OTHER -> message(scan);
    }
  }

  /**
   * What a frame of the room is.
   *
   * @param ownJoin whether it is the JOIN that the user waits for
   */
  private Past.Part partOf(boolean ownJoin, byte[] bytes, int from, int to) {
    boolean before = user.state().isAwaitingJoin() && !ownJoin;
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
    return !user.state().isAwaitingJoin() || ownJoin || past.isResumed();
  }

  private void message(FrameScan scan) {
    switch (room.received(user, scan)) {
      case OWN_TEXT -> user.answered(scan.seq(), context.readTime());
      case OWN_JOIN -> user.joined(context.readTime());
      case OWN_LEAVE -> user.left(context.readTime());
      case TAKEN -> {} // the message of another member
    }
  }

  /** A frame without head. */
  private void noticed(Notice notice, byte[] bytes, int from, int to) {
    switch (notice) {
      case Notice.Refusal refusal -> user.refusal(refusal);
      case Notice.Foreign foreign -> foreign(foreign, bytes, from, to);
      case Notice.Unreadable _ -> context.tally.count(Count.UNREADABLE_FRAMES);
    }
  }

  /** A frame of the room that this run did not write. */
  private void foreign(Notice.Foreign frame, byte[] bytes, int from, int to) {
    Past.Part part = partOf(false, bytes, from, to);
    if (isUnbroken(false)) {
      past.took(bytes, from, to);
    }
    switch (part) {
      case NAMED -> room.resumed(user);
      case HISTORY -> context.tally.count(Count.HISTORY_FRAMES);
      case OTHER ->
          context.tally.count(frame.synthetic() ? Count.SYNTHETIC_LEAVES : Count.FOREIGN_FRAMES);
    }
  }
}
