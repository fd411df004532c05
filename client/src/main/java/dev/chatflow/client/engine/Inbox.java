package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.Notice;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames of one user: separates the room's past from current frames, and messages from
 * other frames.
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

  /** Processes a frame in which the context's scan has found a head of this run. */
  RoomBook.Receipt message(byte[] bytes, int from, int to) {
    FrameScan scan = context.scan;
    boolean own = scan.sender() == member.index;
    boolean awaited = own && scan.seq() == 0 && member.isJoin(scan.dueMicros());
    Past.Part part = partOf(awaited, bytes, from, to);
    if (past.keeps() && isUnbroken(awaited) && !(own && isOutsideOrder(scan))) {
      past.took(bytes, from, to);
    }
    switch (part) {
      case NAMED -> book.resumed(member);
      case HISTORY -> {
        context.tally.count(Count.HISTORY_FRAMES);
        book.pastMessage(member, scan);
      }
      case OTHER -> {
        return book.received(member, scan);
      }
    }
    return RoomBook.Receipt.TAKEN;
  }

  /**
   * Processes a signal, which is neither a text nor a frame to resume after.
   *
   * @param ofRun whether the context's scan has found a head of this run
   */
  void signal(boolean ofRun) {
    if (ofRun) {
      book.signalReceived(member, context.scan);
    } else {
      context.tally.count(Count.FOREIGN_FRAMES);
    }
  }

  /**
   * Returns the part of the past that a frame belongs to.
   *
   * @param ownJoin whether it is the JOIN that the user waits for
   */
  private Past.Part partOf(boolean ownJoin, byte[] bytes, int from, int to) {
    boolean before = member.state().isAwaitingJoin() && !ownJoin;
    return before ? past.before(bytes, from, to) : Past.Part.OTHER;
  }

  /**
   * Returns whether the user's own frame has no position in the room, so that nothing can follow
   * it.
   */
  private static boolean isOutsideOrder(FrameScan scan) {
    return scan.seq() == 0 ? scan.isQuiet() : scan.isRepeat();
  }

  /** Returns whether the user has every earlier message of its room, as far as that is known. */
  private boolean isUnbroken(boolean ownJoin) {
    return !member.state().isAwaitingJoin() || ownJoin || past.isResumed();
  }

  /** Processes a frame without a head; returns it if it is a rejection. */
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

  /** Processes a frame of the room from outside the run. */
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
