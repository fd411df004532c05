package dev.chatflow.room;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memberships of one room, and what they pin of its log.
 *
 * <p>The reader thread adds, removes and releases. It watches only members that leave or have a
 * write in flight, so the cost of a tick is proportional to these.
 */
final class Readers implements Round.Audience {

  /** Interval at which a waiting appender checks: a sink that closes by itself does not wake it. */
  private static final long LOOK_NANOS = 5_000_000;

  /**
   * A write in flight for this long waits for its socket. A shorter one may wait for a CPU: a
   * process that has used up its CPU quota is paused until the kernel's period ends, 100 ms by
   * default (cpu.max of cgroup v2), and perhaps for the next one too.
   */
  private static final long PATIENCE_NANOS = 250_000_000;

  private final RoomLog log;
  private final Round round;
  private final Membership.Shared shared;
  private final FanOut fanOut;
  private final long sendDeadlineNanos;
  private final long patienceNanos;
  private final LogSpace space;

  private final Consumer<Membership> raise;

  private final Seats seats = new Seats();
  private final Signals signals = new Signals();
  private volatile int present;
  private volatile @Nullable Thread waiting;

  // Used only by the reader thread.
  private final List<Membership> watched = new ArrayList<>();
  private final Map<String, Membership> leaving =
      new HashMap<>(); // the last one of each connection
  private @Nullable Membership hindmost;

  /**
   * @param raise called by any thread with a membership that has a write in flight and needs {@link
   *     #watch}
   */
  Readers(
      RoomLog log, FanOut fanOut, RoomsConfig config, LogSpace space, Consumer<Membership> raise) {
    this.log = log;
    this.space = space;
    this.fanOut = fanOut;
    this.raise = raise;
    this.sendDeadlineNanos = config.sendDeadline().toNanos();
    this.patienceNanos = Math.min(PATIENCE_NANOS, sendDeadlineNanos);
    this.shared = new Membership.Shared(log, signals, config.maxLagBytes(), this);
    this.round = new Round(fanOut, this);
  }

  Round round() {
    return round;
  }

  @Override
  public Boundary tail() {
    return log.tail();
  }

  @Override
  public AtomicReferenceArray<@Nullable Membership> readers() {
    return seats.all();
  }

  /** Returns the number of members that have not left. Any thread may call. */
  int present() {
    return present;
  }

  /** Returns whether every open membership has been sent everything. Any thread may call. */
  boolean areCaughtUp() {
    Boundary tail = log.tail();
    for (Membership each : seats) {
      if (!each.isClosed() && (each.isWriting() || each.isBehind(each.limit(tail)))) {
        return false;
      }
    }
    return true;
  }

  // --- called by memberships, on any thread

  /** Reports a write that was begun and is not done yet. */
  void leftInTheAir(Membership reader) {
    raise.accept(reader);
  }

  /** Reports a completed write. */
  void written(Membership reader) {
    if (!reader.isClosed() && reader.wantsRound(log.tail())) {
      round.dirty(reader);
    }
    next(reader);
    LockSupport.unpark(waiting);
  }

  /** Allows serving the next membership on the same connection, if there is one. */
  void next(Membership reader) {
    Membership next = reader.successor();
    if (next != null) {
      round.dirty(next);
    }
  }

  // --- called by the reader thread

  boolean isEmpty() {
    return seats.taken() == 0;
  }

  /**
   * Adds a membership that gets everything appended from now on; the past it starts with is pinned.
   *
   * @param begin where it begins to read: here, or in the past
   * @param privateJoin its JOIN frame if the room's log does not get it, or null
   */
  Membership begin(Member member, Boundary begin, byte @Nullable [] privateJoin) {
    Membership before = leaving.get(member.connectionId());
    Membership reader = new Membership(member, shared, begin, log.tail(), privateJoin, before);
    seats.take(reader);
    count(1);
    if (before != null) {
      before.followedBy(reader);
    }
    return reader;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
  private void count(int change) {
    present += change;
  }

  /** Shows a signal to all members. */
  void signal(Payload payload) {
    if (!isEmpty()) {
      signals.add(payload, log.tail(), fanOut.nanoTime());
      round.appended();
    }
  }

  /** Watches a membership that has ended or closed until its last frames are written. */
  void left(Membership reader) {
    if (reader.leave()) {
      count(-1);
      leaving.put(reader.connectionId(), reader);
      if (reader.watch()) {
        watch(reader);
      }
    }
  }

  /** Removes all members. */
  void leave() {
    for (Membership each : seats) {
      left(each);
    }
  }

  /** Starts watching a membership, as requested. */
  void watch(Membership reader) {
    watched.add(reader);
  }

  /** Returns whether nothing needs watching or releasing. */
  boolean isSettled() {
    return watched.isEmpty() && signals.isEmpty() && !log.isReleasable();
  }

  /** Releases the segments that no reader needs; returns whether there were any. */
  boolean release() {
    Membership last = hindmost;
    if (!log.isReleasable() || (last != null && log.isHeldBy(last.pinned()))) {
      return false;
    }
    return log.release(needed());
  }

  /** Shortens the room's past and releases the segments that no reader needs. */
  void shorten(long pastBytes) {
    boolean _ = log.shorten(pastBytes, needed());
  }

  /** Returns the first position that a reader needs. */
  private long needed() {
    long position = log.tail().position();
    hindmost = null;
    for (Membership each : seats) {
      long pinned = each.pinned();
      if (pinned < position) {
        position = pinned;
        hindmost = each;
      }
    }
    return position;
  }

  /**
   * Closes members beyond the send deadline, removes finished ones and old signals, releases
   * segments.
   */
  void tick() {
    long now = fanOut.nanoTime();
    watched.removeIf(each -> isDone(each, now));
    signals.removeOld(now);
    boolean _ = release();
  }

  /** Returns whether it no longer needs watching. */
  private boolean isDone(Membership each, long now) {
    if (!each.isSeated()) {
      return true;
    }
    boolean stuck = each.stuckNanos(now) > sendDeadlineNanos;
    if (stuck && !each.isClosed()) {
      space.closeSlow(each, SlowCause.SEND_DEADLINE);
      return false;
    }
    if (each.isClosed()) {
      left(each);
    }
    boolean over = each.isLeaving() && (each.isOver() || (stuck && each.abandon()));
    if (over) {
      remove(each);
    }
    return over || each.rests();
  }

  private void remove(Membership reader) {
    seats.leave(reader);
    leaving.remove(reader.connectionId(), reader);
    if (hindmost == reader) {
      hindmost = null;
    }
  }

  /**
   * Makes space in a full log: releases, else closes members far behind, else waits for the
   * readers.
   */
  void makeSpace() {
    if (!isRelieved() && !awaitRelease(this::isRelieved)) {
      Membership slowest = slowest();
      if (slowest != null) {
        space.closeSlow(slowest, SlowCause.LOG_FULL);
      }
    }
  }

  private boolean isRelieved() {
    return reclaim() || closeLaggards();
  }

  /**
   * Releases segments; if that frees nothing, abandons the writes of closed members and tries
   * again.
   */
  boolean reclaim() {
    if (release()) {
      return true;
    }
    for (Membership each : seats) {
      if (each.isClosed() && each.abandon()) {
        left(each);
        remove(each);
      }
    }
    return release();
  }

  private boolean closeLaggards() {
    long foremost = 0;
    for (Membership each : seats) {
      foremost = Math.max(foremost, each.isReading() ? each.position() : 0);
    }
    long now = fanOut.nanoTime();
    boolean any = false;
    for (Membership each : seats) {
      if (each.isHeldUpBySocket(now, patienceNanos)
          && each.position() < foremost - log.capacityBytes() / 2) {
        space.closeSlow(each, SlowCause.BEHIND_OTHERS);
        any = true;
      }
    }
    return any;
  }

  /** Returns whether a member may still receive frames. */
  boolean isAnyReading() {
    for (Membership each : seats) {
      if (each.isReading()) {
        return true;
      }
    }
    return false;
  }

  /** Waits until {@code enough}, for at most one send deadline; returns whether it was reached. */
  boolean awaitRelease(BooleanSupplier enough) {
    space.countWait();
    round.dirty();
    long end = fanOut.nanoTime() + sendDeadlineNanos;
    waiting = Thread.currentThread();
    try {
      while (!enough.getAsBoolean()) {
        long left = end - fanOut.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
          return false;
        }
        fanOut.park(Math.min(left, LOOK_NANOS));
      }
      return true;
    } finally {
      waiting = null;
    }
  }

  /**
   * Returns the membership that pins most of those that their socket holds up, or null. An
   * interrupted thread takes any that is still reading, because no further round may run.
   */
  @Nullable Membership slowest() {
    boolean stopping = Thread.currentThread().isInterrupted();
    long now = fanOut.nanoTime();
    Membership slowest = null;
    for (Membership each : seats) {
      boolean candidate = stopping ? each.isReading() : each.isHeldUpBySocket(now, patienceNanos);
      if (candidate && (slowest == null || each.position() < slowest.position())) {
        slowest = each;
      }
    }
    return slowest;
  }
}
