package dev.chatflow.log;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a shard's log, and the verdict on each of its entries and lines.
 *
 * <p>Everything is remembered by position, nothing by time. The window of an entry is the entries
 * before it (see {@link WindowBounds}), which is the same for all readers, regardless of their
 * clocks and where they started. So all servers decide alike, and a server that starts reading
 * anywhere agrees with the others as soon as its memory is complete.
 *
 * <p>One thread: entries are passed to {@link #judge} in the order of the log, and the lines of one
 * that is on time to {@link #join}, {@link #leave}, {@link #say} and {@link #signal} before the
 * next entry.
 */
public final class Window {

  /** The verdict on a line, which is the same for all readers. */
  public enum LineVerdict {
    /** To be shown. */
    SHOWN,
    /** A TEXT that the window already contains. */
    REPEAT,
    /**
     * Superseded by a newer connection of the same user, or a LEAVE that the window already
     * contains.
     */
    VOID,
    /** A message of a muted user, or a mute beyond the limit of the shard. */
    REFUSED
  }

  private final WindowBounds bounds;
  private final WindowPositions positions;
  private final EntryNumbers numbers;
  private final MessageIds ids;
  private final WindowMemberships stays;
  private final WindowMutes mutes;

  private boolean complete;
  private boolean following;
  // Since the last entry that could not be judged, or since the beginning.
  private long entriesJudged;
  private long bytesJudged;

  /**
   * Creates the memory of a new reader.
   *
   * @param fromBirth whether it starts with the first entry the log ever had
   */
  public Window(WindowBounds bounds, boolean fromBirth) {
    this.bounds = bounds;
    this.positions = new WindowPositions(bounds);
    this.numbers = new EntryNumbers(positions);
    this.ids = new MessageIds(positions);
    this.stays = new WindowMemberships(positions);
    this.mutes = new WindowMutes(positions, bounds);
    this.complete = fromBirth;
  }

  /**
   * Judges the next entry of the log.
   *
   * @param entry its headers, or null if no lane published it: such an entry is always on time
   * @param bodyBytes length of its body
   */
  public EntryVerdict judge(@Nullable Entry entry, int bodyBytes) {
    positions.next(bodyBytes);
    noteComplete();
    EntryVerdict verdict =
        entry == null ? EntryVerdict.ON_TIME : numbers.judge(entry, complete, following);
    if (verdict == EntryVerdict.UNDECIDED) {
      complete =
          false; // a log that has lost entries is not fully known, even when read from its birth
      entriesJudged = 0;
      bytesJudged = 0;
    } else {
      entriesJudged++;
      bytesJudged += bodyBytes;
    }
    return verdict;
  }

  /**
   * Judges the current entry again, after a hole: missing entries are not waited for.
   *
   * @return never {@link EntryVerdict#LOSS}
   */
  public EntryVerdict judgeBehindHole(Entry entry) {
    numbers.pass(entry);
    return numbers.judge(entry, complete, following);
  }

  /** Marks the memory complete two windows after the last entry that could not be judged. */
  private void noteComplete() {
    complete |=
        entriesJudged > (long) windowsToKnow() * bounds.entries()
            || bytesJudged > windowsToKnow() * bounds.bytes();
  }

  /**
   * Returns the windows to read: an entry depends on its window, and each entry in there on one
   * window more.
   */
  private static int windowsToKnow() {
    return 2;
  }

  /** Returns whether everything that decides on the current and later entries is known. */
  public boolean isComplete() {
    return complete;
  }

  /** Starts following: from now on a hole is a loss. */
  public void follow() {
    following = true;
  }

  /** Treats unknown entries as absent, because the log does not go further back. */
  public void assumeComplete() {
    complete = true;
  }

  /** Judges a JOIN of the current entry, which is on time. */
  public LineVerdict join(RoomId room, UserDevice who, Stamp stamp) {
    boolean superseded = stays.isSuperseded(room, who, stamp);
    stays.joined(room, who, stamp);
    return superseded ? LineVerdict.VOID : LineVerdict.SHOWN;
  }

  /** Judges a LEAVE of the current entry, which is on time. */
  public LineVerdict leave(RoomId room, UserDevice who, Stamp stamp) {
    boolean superseded = stays.isSuperseded(room, who, stamp);
    boolean first = stays.left(room, who, stamp);
    return superseded || !first ? LineVerdict.VOID : LineVerdict.SHOWN;
  }

  /**
   * Judges a TEXT of the current entry, which is on time.
   *
   * @param stamp the stamp of its connection's JOIN; without one (null) it is never void
   * @param idHash hash of room, user, message id and text
   * @param millis cluster time of its entry
   */
  public LineVerdict say(
      RoomId room, UserDevice who, @Nullable Stamp stamp, long idHash, long millis) {
    boolean isVoid = stamp != null && isAfterLeave(room, who, stamp);
    boolean isRefused = !isVoid && isMuted(room, who, millis) && !ids.has(idHash);
    boolean isNew = !leavesId(isVoid || isRefused) || ids.add(idHash);
    if (isVoid) {
      return LineVerdict.VOID;
    }
    return isRefused ? LineVerdict.REFUSED : isNew ? LineVerdict.SHOWN : LineVerdict.REPEAT;
  }

  /** Returns false: a hidden text is not remembered, because its client may send it again. */
  private static boolean leavesId(boolean isHidden) {
    return !isHidden;
  }

  /** Judges a SIGNAL of the current entry, which is on time; no client sends it again. */
  public LineVerdict signal(RoomId room, UserDevice who, @Nullable Stamp stamp, long millis) {
    if (stamp != null && isAfterLeave(room, who, stamp)) {
      return LineVerdict.VOID;
    }
    return isMuted(room, who, millis) ? LineVerdict.REFUSED : LineVerdict.SHOWN;
  }

  /** Judges a mute of the current entry, which is on time. */
  public LineVerdict mute(ChatMessage mute) {
    if (!mutes.add(mute)) {
      return LineVerdict.REFUSED;
    }
    return mute.synthetic() ? LineVerdict.REPEAT : LineVerdict.SHOWN;
  }

  /** Returns whether a user may not write at this cluster time. */
  boolean isMuted(RoomId room, UserDevice who, long millis) {
    return mutes.isMuted(room, who.userId(), millis);
  }

  /** Returns the mutes to repeat now, so that the window always contains them. */
  List<ChatMessage> mutesDue(long millis, double rank) {
    return mutes.due(millis, rank);
  }

  /** Returns whether a newer connection of the same user and device precedes this message. */
  private boolean isAfterLeave(RoomId room, UserDevice who, Stamp stamp) {
    return stays.isSuperseded(room, who, stamp);
  }
}
