package dev.chatflow.log;

import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one shard's log, and the verdict on each entry and line of it.
 *
 * <p>Everything is remembered by place, nothing by time: an entry's window is the entries before it
 * (see {@link WindowBounds}), the same for everybody who reads the log, whatever his clock says and
 * wherever he began. So all servers decide alike, and a server that begins to read somewhere
 * decides like the others as soon as its memory is complete.
 *
 * <p>One thread: entries are shown to {@link #judge} in the order of the log, and the lines of one
 * that is on time to {@link #join}, {@link #leave} and {@link #say} before the next.
 */
public final class Window {

  /** What a line is worth, alike for everybody. */
  public enum LineVerdict {
    /** It is to be shown. */
    SHOWN,
    /** A TEXT that the window holds already. */
    REPEAT,
    /** A newer connection of the same user stands before it, or, for a LEAVE, the same LEAVE. */
    VOID
  }

  private final WindowBounds bounds;
  private final WindowPositions positions;
  private final Numbers numbers;
  private final MessageIds ids;
  private final Stays stays;

  private boolean complete;
  private boolean following;
  // Since the last entry that could not be judged, or since the beginning.
  private long entriesJudged;
  private long bytesJudged;

  /**
   * Makes the memory of somebody who begins to read.
   *
   * @param fromBirth whether he begins with the first entry the log ever had
   */
  public Window(WindowBounds bounds, boolean fromBirth) {
    this.bounds = bounds;
    this.positions = new WindowPositions(bounds);
    this.numbers = new Numbers(positions);
    this.ids = new MessageIds(positions);
    this.stays = new Stays(positions);
    this.complete = fromBirth;
  }

  /**
   * Judges the next entry of the log.
   *
   * @param entry its headers, or null when no lane published it: what others publish is always on
   *     time
   * @param bodyBytes the length of its body
   */
  public EntryVerdict judge(@Nullable Entry entry, int bodyBytes) {
    positions.next(bodyBytes);
    noteComplete();
    EntryVerdict verdict =
        entry == null ? EntryVerdict.ON_TIME : numbers.judge(entry, complete, following);
    if (verdict == EntryVerdict.UNDECIDED) {
      complete =
          false; // a log that has lost entries is not known though it was read from its birth
      entriesJudged = 0;
      bytesJudged = 0;
    } else {
      entriesJudged++;
      bytesJudged += bodyBytes;
    }
    return verdict;
  }

  /**
   * Judges the entry in hand once more, which follows a hole: what is missing is not waited for.
   *
   * @return never {@link EntryVerdict#LOSS}
   */
  public EntryVerdict judgeBehindHole(Entry entry) {
    numbers.pass(entry);
    return numbers.judge(entry, complete, following);
  }

  /**
   * Two windows behind the last entry that could not be judged, everything that counts is known.
   */
  private void noteComplete() {
    complete |=
        entriesJudged > (long) windowsToKnow() * bounds.entries()
            || bytesJudged > windowsToKnow() * bounds.bytes();
  }

  /** What decides on an entry lies in its window; what decided on that, in one more. */
  private static int windowsToKnow() {
    return 2;
  }

  /** Whether what decides on the entry in hand is known, and on all behind it. */
  public boolean isComplete() {
    return complete;
  }

  /** Everything that decides has been read: from now on a hole is a loss. */
  public void follow() {
    following = true;
  }

  /** The log does not reach further back: what cannot be known counts as not there. */
  public void assumeComplete() {
    complete = true;
  }

  /** A JOIN of the entry in hand, which is on time. */
  public LineVerdict join(RoomId room, String userId, Stamp stamp) {
    boolean superseded = stays.isSuperseded(room, userId, stamp);
    stays.joined(room, userId, stamp);
    return superseded ? LineVerdict.VOID : LineVerdict.SHOWN;
  }

  /** A LEAVE of the entry in hand, which is on time. */
  public LineVerdict leave(RoomId room, String userId, Stamp stamp) {
    boolean superseded = stays.isSuperseded(room, userId, stamp);
    boolean first = stays.left(room, userId, stamp);
    return superseded || !first ? LineVerdict.VOID : LineVerdict.SHOWN;
  }

  /**
   * A TEXT of the entry in hand, which is on time.
   *
   * @param stamp that of its connection's JOIN; null when it has none: it is never void
   * @param idHash of room, user, message id and text
   */
  public LineVerdict say(RoomId room, String userId, @Nullable Stamp stamp, long idHash) {
    boolean isVoid = stamp != null && isAfterLeave(room, userId, stamp);
    boolean isNew = !leavesId(isVoid) || ids.add(idHash);
    return isVoid ? LineVerdict.VOID : isNew ? LineVerdict.SHOWN : LineVerdict.REPEAT;
  }

  /** Whether a newer connection of the user stands before what this one says. */
  private boolean isAfterLeave(RoomId room, String userId, Stamp stamp) {
    return stays.isSuperseded(room, userId, stamp);
  }

  /** A void text is not remembered: the connection that is left sends it again. */
  private static boolean leavesId(boolean isVoid) {
    return !isVoid;
  }
}
