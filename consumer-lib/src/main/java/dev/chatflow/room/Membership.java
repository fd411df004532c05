package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The membership of a user on one connection: the range of the room log that the member gets, from
 * its JOIN frame, or the past it requested, to its LEAVE frame.
 *
 * <p>Created, ended, dropped and timed by the reader thread; served by one writer at a time. As a
 * {@link Runnable} it is the completion of its own writes, on any thread.
 */
final class Membership implements Reader, Runnable {

  /** A write seen in flight in this many consecutive rounds is stalled, not merely busy. */
  private static final int STALLED_ROUNDS = 8;

  private static final int NO_SEAT = -1;

  /**
   * The objects shared by the memberships of one room.
   *
   * @param signals the signals of the room
   * @param maxLagBytes a member further behind is not read; it is read again below half of this
   * @param readers receives departures and the progress of writes
   */
  record Shared(RoomLog log, Signals signals, int maxLagBytes, Readers readers) {}

  private final Member member;
  private final FrameSink sink;
  private final Shared shared;
  private final Cursor cursor;
  private final Boundary join;

  private final boolean isQuiet;

  // Frames of a large room that only this member gets, until they were sent.
  private volatile byte @Nullable [] privateJoin;
  private volatile byte @Nullable [] privateLeave;

  // Written by the reader thread.
  private volatile @Nullable Boundary end;
  private volatile boolean dropped;
  private volatile @Nullable Membership successor;

  /** Whether the reader thread watches it, or was asked to. */
  private final AtomicBoolean watched = new AtomicBoolean();

  // Written in rounds, of which a room has one at a time.
  private volatile boolean behind;
  private @Nullable Membership predecessor;
  private int busyRounds;
  private long signalsTaken;

  // Used only by the reader thread.
  private int seat = NO_SEAT;
  private boolean left;

  // As above: since when the same write has been in flight, or the member closed.
  private @Nullable LogRange watchedWrite;
  private boolean watchedClosed;
  private long watchedNanos;

  /**
   * @param begin the boundary before its JOIN frame, or before the past it requested
   * @param join the boundary before its JOIN frame
   * @param privateJoin its JOIN frame if the log does not get it, or null
   * @param predecessor the previous, unfinished membership of the same connection, or null
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
    this.signalsTaken = shared.signals().end();
  }

  String connectionId() {
    return member.connectionId();
  }

  /** Returns whether it is neither closed nor written to its end. */
  boolean isReading() {
    return !isClosed() && !isAtEnd();
  }

  /**
   * Returns whether its socket holds others up: the same write has been in flight for this long. A
   * member without a write in flight waits for a writer, and a write that has just begun proves
   * nothing.
   */
  boolean isHeldUpBySocket(long nowNanos, long patienceNanos) {
    return stuckNanos(nowNanos) >= patienceNanos && isReading() && isWriting();
  }

  /** Returns whether no further write begins. */
  boolean isClosed() {
    return dropped || sink.isClosed();
  }

  // --- called by the reader thread

  /**
   * Sets the last frame of the membership: its LEAVE frame, or the frame before a newer JOIN.
   *
   * @param privateFrame its LEAVE frame if the log did not get it, or null
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

  /** Starts serving the next membership of the same connection when this one is over. */
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

  /** Marks it as leaving; returns whether this is new. */
  boolean leave() {
    boolean news = !left;
    left = true;
    return news;
  }

  /** Starts watching it; false if it is watched already. */
  boolean watch() {
    return watched.compareAndSet(false, true);
  }

  /**
   * Stops watching a membership that is neither leaving nor writing; returns whether it stopped.
   */
  boolean rests() {
    if (left || isWriting()) {
      return false;
    }
    watched.set(false);
    return !isWriting()
        || !watch(); // if a write has begun, its writer watches it, or this thread does
  }

  long position() {
    return cursor.position().position();
  }

  /** Returns the first position it still needs, or {@link Cursor#NOTHING}. */
  long pinned() {
    return isAtEnd() ? Cursor.NOTHING : cursor.pinned();
  }

  /** Returns whether its range was written or never will be, and nothing is in flight. */
  boolean isOver() {
    return pinned() == Cursor.NOTHING && (isClosed() || (!behind && hasCompleteList()));
  }

  /**
   * Abandons the write of a closed member: its segments are not reused.
   *
   * @return whether it pins nothing any more; false only while a writer prepares the range
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
   * Returns for how long the write in flight has made no progress, since it began or since the
   * member was closed; 0 if there is none. The precision is the interval of the calls.
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

  // --- called by writers

  /** Returns how far it may be written if the log reaches to {@code tail}. */
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

  /** Returns whether the previous membership of the same connection is not finished. */
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
    if (!isDue(limit)) {
      return;
    }
    if (isWriting()) {
      if (isMerelyBusy()) {
        tally.busy();
      }
      return;
    }
    LogRange range = write(limit, tally);
    if (range != null) {
      tally.wrote(range);
    }
  }

  /** Sends its private frames after everything written to it. */
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

  /** Pauses or resumes reading its connection, depending on how far it is behind. */
  private void watchLag(Boundary limit) {
    long lag = limit.position() - position();
    if (behind ? lag < shared.maxLagBytes() / 2 : lag > shared.maxLagBytes()) {
      behind = !behind;
      member.pauseWhileBehind(behind);
    }
  }

  /** Counts a round that found a write in flight; false if the write has stalled. */
  private boolean isMerelyBusy() {
    return ++busyRounds <= STALLED_ROUNDS;
  }

  private boolean isDue(Boundary limit) {
    return isBehind(limit) || (shared.signals().isDue(signalsTaken, limit) && getsSignals());
  }

  /** Returns false before its private JOIN was sent, and after its LEAVE. */
  private boolean getsSignals() {
    return privateJoin == null && end == null;
  }

  /** Starts a write of the log up to {@code limit}, with signals; null if it is closed. */
  private @Nullable LogRange write(Boundary limit, Round.Tally tally) {
    if (!cursor.claim()) {
      return null;
    }
    LogRange range = withSignals(shared.log().range(cursor.position(), limit), tally);
    cursor.start(range);
    busyRounds = 0;
    sink.write(range, this);
    if (isWriting() && watch()) {
      shared.readers().leftInTheAir(this);
    }
    return range;
  }

  /**
   * Adds the signals that are due. They are taken before the end is read: a signal after the LEAVE
   * was added after the end was set.
   */
  private LogRange withSignals(LogRange range, Round.Tally tally) {
    if (!shared.signals().isDue(signalsTaken, range.to())) {
      return range;
    }
    Signals.Taken due = shared.signals().take(signalsTaken, range.to());
    if (!getsSignals()) {
      return range;
    }
    took(due);
    tally.missed(due.missed());
    return range.with(due.signals());
  }

  private void took(Signals.Taken signals) {
    signalsTaken = signals.end();
  }

  /** Completes the write in flight. */
  @Override
  public void run() {
    LogRange range = cursor.inFlight();
    if (range == null) {
      throw new IllegalStateException("no write in flight of " + connectionId());
    }
    if (isClosed()) {
      range.spoil();
    } else if (!isQuiet && !join.isBefore(cursor.position()) && join.isBefore(range.to())) {
      member.entered();
    }
    cursor.advance(range);
    shared.readers().written(this);
  }

  /** Returns whether a round has work to do for it. */
  boolean wantsRound(Boundary tail) {
    return behind || privateLeave != null || privateJoin != null || isDue(limit(tail));
  }
}
