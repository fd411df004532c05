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
 * The memberships of one room and what they pin of its log.
 *
 * <p>The consumer thread adds, removes and releases. It looks after those alone who leave or have a
 * write in the air: what it does at a tick is proportional to them.
 */
final class Readers implements Round.Audience {

  /** A waiting appender looks at least so often: a sink that closes by itself does not wake it. */
  private static final long LOOK_NANOS = 5_000_000;

  /**
   * A write that is in the air for so long waits for its socket; a shorter one may as well wait for
   * a CPU: a writer whose process has used up its CPU quota stands still to the end of the kernel's
   * period, 100 ms by default (cpu.max of cgroup v2), and may lose the next one too.
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
  private volatile int present;
  private volatile @Nullable Thread waiting;

  // The consumer thread's.
  private final List<Membership> watched = new ArrayList<>();
  private final Map<String, Membership> leaving = new HashMap<>(); // the last of each session
  private @Nullable Membership hindmost;

  /**
   * @param raise told by any thread of a membership with a write in the air: {@link #watch} it
   */
  Readers(
      RoomLog log, FanOut fanOut, RoomsConfig config, LogSpace space, Consumer<Membership> raise) {
    this.log = log;
    this.space = space;
    this.fanOut = fanOut;
    this.raise = raise;
    this.sendDeadlineNanos = config.sendDeadline().toNanos();
    this.patienceNanos = Math.min(PATIENCE_NANOS, sendDeadlineNanos);
    this.shared = new Membership.Shared(log, config.maxLagBytes(), this);
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

  /** Those who have not left. By any thread. */
  int present() {
    return present;
  }

  /** Whether every open membership has got everything. By any thread. */
  boolean areCaughtUp() {
    Boundary tail = log.tail();
    for (Membership each : seats) {
      if (!each.isClosed() && (each.isWriting() || each.isBehind(each.limit(tail)))) {
        return false;
      }
    }
    return true;
  }

  // --- told by memberships, on any thread

  /** A write was begun and is not done yet. */
  void leftInTheAir(Membership reader) {
    raise.accept(reader);
  }

  /** A write is done. */
  void written(Membership reader) {
    if (!reader.isClosed() && reader.wantsRound(log.tail())) {
      round.dirty(reader);
    }
    next(reader);
    LockSupport.unpark(waiting);
  }

  /** The stay behind this one on its connection may be served, if there is one. */
  void next(Membership reader) {
    Membership next = reader.successor();
    if (next != null) {
      round.dirty(next);
    }
  }

  // --- the consumer thread's side

  boolean isEmpty() {
    return seats.taken() == 0;
  }

  /**
   * A new membership, which gets what is appended from now on, and what it begins with is pinned.
   *
   * @param begin where it begins to read: here, or in the past
   * @param privateJoin its own JOIN frame when the room's log does not get it, or null
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

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void count(int change) {
    present += change;
  }

  /** It has ended or is closed: looked after until what it was to get is written. */
  void left(Membership reader) {
    if (reader.leave()) {
      count(-1);
      leaving.put(reader.connectionId(), reader);
      if (reader.watch()) {
        watch(reader);
      }
    }
  }

  /** All leave. */
  void leave() {
    for (Membership each : seats) {
      left(each);
    }
  }

  /** From now on it is looked after, as was asked for. */
  void watch(Membership reader) {
    watched.add(reader);
  }

  /** Whether there is nobody to look after, and nothing to give back. */
  boolean isSettled() {
    return watched.isEmpty() && !log.isReleasable();
  }

  /** Gives back the segments that nobody needs; whether there were any. */
  boolean release() {
    Membership last = hindmost;
    if (!log.isReleasable() || (last != null && log.isHeldBy(last.pinned()))) {
      return false;
    }
    return log.release(needed());
  }

  /** Shortens the past of the room, and gives back what nobody needs. */
  void shorten(long pastBytes) {
    boolean _ = log.shorten(pastBytes, needed());
  }

  /** The first position that somebody needs. */
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

  /** Closes members beyond the send deadline, removes those that are over, releases. */
  void tick() {
    long now = fanOut.nanoTime();
    watched.removeIf(each -> isDone(each, now));
    boolean _ = release();
  }

  /** Whether it need not be looked after any more. */
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

  /** The room's log is full: releases, closes laggards, or waits for the readers, in this order. */
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

  /** Releases; when that gives nothing, gives up the writes of closed members and tries again. */
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

  /** Whether somebody may still get something. */
  boolean isAnyReading() {
    for (Membership each : seats) {
      if (each.isReading()) {
        return true;
      }
    }
    return false;
  }

  /** Waits until {@code enough}, a send deadline at most; whether it was. */
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
   * The membership that pins most of those whose socket holds it up, or null. A thread that is told
   * to stop takes any that still reads, for no round may come any more.
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
