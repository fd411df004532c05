package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a user in a room on one connection: the range of the room log that its member gets,
 * from its own JOIN frame, or the past that it asks for, to its own LEAVE frame.
 *
 * <p>Begun, ended, dropped and timed by the consumer thread; served by one writer at a time; as a
 * {@link Runnable} it is the completion of its own writes, on any thread.
 */
final class Membership implements Reader, Runnable {

  /** A write that was seen in the air so many rounds in a row is stalled, not just busy. */
  private static final int STALLED_ROUNDS = 8;

  private static final int NO_SEAT = -1;

  /**
   * What the memberships of one room have in common.
   *
   * @param maxLagBytes a member further behind is not read; it is read again below half of this
   * @param readers told when it leaves, and what its writes do
   */
  record Shared(RoomLog log, int maxLagBytes, Readers readers) {}

  private final Member member;
  private final FrameSink sink;
  private final Shared shared;
  private final Cursor cursor;
  private final Boundary join;

  private final boolean isQuiet;

  // Frames of a large room that this member alone is shown, while they have not been.
  private volatile byte @Nullable [] privateJoin;
  private volatile byte @Nullable [] privateLeave;

  // Written by the consumer thread.
  private volatile @Nullable Boundary end;
  private volatile boolean dropped;
  private volatile @Nullable Membership successor;

  /** Whether the consumer thread looks after it, or is asked to. */
  private final AtomicBoolean watched = new AtomicBoolean();

  // Written in rounds, of which a room has one at a time.
  private volatile boolean behind;
  private @Nullable Membership predecessor;
  private int busyRounds;

  // The consumer thread's.
  private int seat = NO_SEAT;
  private boolean left;

  // The same, since when the same write is in the air, or the member is closed.
  private @Nullable LogRange watchedWrite;
  private boolean watchedClosed;
  private long watchedNanos;

  /**
   * @param begin before its own JOIN frame, and before what that asks for of the past
   * @param join before its own JOIN frame
   * @param privateJoin its own JOIN frame when the log does not get it, or null
   * @param predecessor the stay before it on the same connection when that has not ended, or null
   */
  Membership(
      Member member,
      Shared shared,
      Boundary begin,
      Boundary join,
      byte @Nullable [] privateJoin,
      @Nullable Membership predecessor) {
    this.member = member;
    this.sink = member.sink();
    this.shared = shared;
    this.cursor = new Cursor(begin, this::isClosed);
    this.join = join;
    this.isQuiet = privateJoin != null;
    this.privateJoin = privateJoin;
    this.predecessor = predecessor;
  }

  String connectionId() {
    return member.connectionId();
  }

  /** Whether it is not closed and not written to its end. */
  boolean isReading() {
    return !isClosed() && !isAtEnd();
  }

  /**
   * Whether it is its socket that others wait for: the same write has been in the air for so long.
   * One that has nothing in the air waits for us, and a write that has just begun shows nothing.
   */
  boolean isHeldUpBySocket(long nowNanos, long patienceNanos) {
    return stuckNanos(nowNanos) >= patienceNanos && isReading() && isWriting();
  }

  /** From then on no write begins. */
  boolean isClosed() {
    return dropped || sink.isClosed();
  }

  // --- the consumer thread's side

  /**
   * Its own LEAVE frame, or what came before a newer JOIN, was the last for it.
   *
   * @param privateFrame its own LEAVE frame when the log did not get it, or null
   */
  void end(Boundary last, byte @Nullable [] privateFrame) {
    privateLeave = privateFrame;
    end = last;
    shared.readers().left(this);
  }

  /** Ends it now and closes the connection. */
  void drop(CloseReason reason) {
    dropped = true;
    member.close(reason);
    shared.readers().left(this);
  }

  /** The next stay on the same connection is served when this one is over. */
  void followedBy(Membership next) {
    successor = next;
  }

  @Nullable Membership successor() {
    return successor;
  }

  int seat() {
    return seat;
  }

  void sit(int index) {
    seat = index;
  }

  void stand() {
    seat = NO_SEAT;
  }

  boolean isSeated() {
    return seat != NO_SEAT;
  }

  boolean isLeaving() {
    return left;
  }

  /** It leaves; whether this was not known. */
  boolean leave() {
    boolean news = !left;
    left = true;
    return news;
  }

  /** From now on it is looked after; false when it is already. */
  boolean watch() {
    return watched.compareAndSet(false, true);
  }

  /** Whether it is neither leaving nor has a write in the air: then it is not looked after. */
  boolean rests() {
    if (left || isWriting()) {
      return false;
    }
    watched.set(false);
    return !isWriting() || !watch(); // by whom the write was begun that was not seen before
  }

  long position() {
    return cursor.position().position();
  }

  /** The first position it still needs; {@link Cursor#NOTHING} when it needs nothing. */
  long pinned() {
    return isAtEnd() ? Cursor.NOTHING : cursor.pinned();
  }

  /** Whether its range has been written, or never will be, and nothing is in the air. */
  boolean isOver() {
    return pinned() == Cursor.NOTHING && (isClosed() || (!behind && hasCompleteList()));
  }

  /**
   * Gives up a closed member's write: its segments will not be used again.
   *
   * @return whether it pins nothing any more; false only while a writer is just making the range
   */
  boolean abandon() {
    if (!cursor.isClaimed()) {
      return true;
    }
    LogRange lost = cursor.inFlight();
    if (lost == null) {
      return false;
    }
    lost.spoil();
    return true;
  }

  /**
   * For how long the write in the air has made no progress, since it began or since the member was
   * closed; 0 when there is none. As exact as the calls are frequent.
   */
  long stuckNanos(long nowNanos) {
    LogRange write = cursor.inFlight();
    boolean closed = isClosed();
    if (write != watchedWrite || closed != watchedClosed) {
      watchedWrite = write;
      watchedClosed = closed;
      watchedNanos = nowNanos;
    }
    return write == null ? 0 : nowNanos - watchedNanos;
  }

  // --- the writers' side

  /** How far it may be written when the log reaches to {@code tail}. */
  Boundary limit(Boundary tail) {
    Boundary last = end;
    Boundary here = last == null ? tail : last.atMost(tail);
    return privateJoin == null ? here : join.atMost(here);
  }

  boolean isBehind(Boundary limit) {
    return cursor.position().isBefore(limit);
  }

  boolean isWriting() {
    return cursor.isClaimed();
  }

  /** Whether the stay before it on the same connection is not written to its end. */
  private boolean isWaiting() {
    Membership before = predecessor;
    if (before != null && (before.cursor.isClaimed() || !before.hasCompleteList())) {
      return true;
    }
    predecessor = null;
    return false;
  }

  private boolean hasCompleteList() {
    return isAtEnd() && privateLeave == null;
  }

  private boolean isAtEnd() {
    Boundary last = end;
    return last != null && !cursor.position().isBefore(last);
  }

  @Override
  public void serve(Boundary tail, Round.Tally tally) {
    if (isClosed() || isWaiting()) {
      return;
    }
    if (!isBehind(limit(tail))) {
      sendPrivately();
    }
    Boundary limit = limit(tail);
    watchLag(limit);
    if (!isBehind(limit)) {
      return;
    }
    if (isWriting()) {
      if (isMerelyBusy()) {
        tally.busy();
      }
      return;
    }
    LogRange range = write(limit);
    if (range != null) {
      tally.wrote(range);
    }
  }

  /** What it alone is shown follows what was written to it. */
  private void sendPrivately() {
    byte[] own = privateJoin;
    if (own != null && !isWriting()) {
      privateJoin = null;
      member.sendPrivately(own);
      member.entered();
    }
    byte[] last = privateLeave;
    if (last != null && isAtEnd() && !isWriting()) {
      privateLeave = null;
      member.sendPrivately(last);
      shared.readers().next(this);
    }
  }

  /** Stops or allows the reading of its connection, by how far it is behind. */
  private void watchLag(Boundary limit) {
    long lag = limit.position() - position();
    if (behind ? lag < shared.maxLagBytes() / 2 : lag > shared.maxLagBytes()) {
      behind = !behind;
      member.pauseWhileBehind(behind);
    }
  }

  /** Counts a round that found a write in the air; false when it has stalled. */
  private boolean isMerelyBusy() {
    return ++busyRounds <= STALLED_ROUNDS;
  }

  /** Starts a write of what the log holds up to {@code limit}; null when it is closed. */
  private @Nullable LogRange write(Boundary limit) {
    if (!cursor.claim()) {
      return null;
    }
    LogRange range = shared.log().range(cursor.position(), limit);
    cursor.start(range);
    busyRounds = 0;
    sink.write(range, this);
    if (isWriting() && watch()) {
      shared.readers().leftInTheAir(this);
    }
    return range;
  }

  /** The write in the air is done. */
  @Override
  public void run() {
    LogRange range = cursor.inFlight();
    if (range == null) {
      throw new IllegalStateException("no write in the air of " + connectionId());
    }
    if (isClosed()) {
      range.spoil();
    } else if (!isQuiet && !join.isBefore(cursor.position()) && join.isBefore(range.to())) {
      member.entered();
    }
    cursor.advance(range);
    shared.readers().written(this);
  }

  /** Whether a round has something to do for it. */
  boolean wantsRound(Boundary tail) {
    return behind || privateLeave != null || privateJoin != null || isBehind(limit(tail));
  }
}
