package dev.chatflow.room;

import dev.chatflow.room.fanout.FanOut;
import dev.chatflow.room.fanout.Round;
import dev.chatflow.room.log.Boundary;
import dev.chatflow.room.log.RoomLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memberships of one room and what they pin of its log.
 *
 * <p>The consumer thread adds, removes and releases; any thread reads the published array, which is
 * never changed in place.
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

  private volatile Membership[] memberships = {};
  private volatile @Nullable Thread waiting;

  Readers(RoomLog log, FanOut fanOut, RoomsConfig config, LogSpace space) {
    this.log = log;
    this.space = space;
    this.fanOut = fanOut;
    this.sendDeadlineNanos = config.sendDeadline().toNanos();
    this.patienceNanos = Math.min(PATIENCE_NANOS, sendDeadlineNanos);
    this.shared = new Membership.Shared(log, config.maxLagBytes(), this::written);
    this.round = new Round(fanOut, this);
  }

  Round round() {
    return round;
  }

  @Override
  public Boundary tail() {
    return log.tail();
  }

  /** All that may still get something; not to be changed. */
  @Override
  public Membership[] readers() {
    return memberships;
  }

  boolean isEmpty() {
    return memberships.length == 0;
  }

  /** Whether every open membership has got everything. By any thread. */
  boolean areCaughtUp() {
    Boundary tail = log.tail();
    for (Membership each : memberships) {
      if (!each.isClosed() && (each.isWriting() || each.isBehind(each.limit(tail)))) {
        return false;
      }
    }
    return true;
  }

  /** A write is done: by any thread. */
  private void written(Membership reader) {
    if (!reader.isClosed() && reader.wantsRound(log.tail())) {
      round.dirty();
    }
    LockSupport.unpark(waiting);
  }

  // --- the consumer thread's side

  /** The last membership of a connection that may still get something, or null. */
  private @Nullable Membership lastOf(String session) {
    Membership last = null;
    for (Membership each : memberships) {
      if (each.session().equals(session) && !each.isOver()) {
        last = each;
      }
    }
    return last;
  }

  /**
   * A new membership, which gets what is appended from now on; {@link #add} it next.
   *
   * @param begin where it begins to read: here, or in the past
   * @param joinAside its own JOIN frame when the room's log does not get it, or null
   */
  Membership begin(Member.View view, Member member, Boundary begin, byte @Nullable [] joinAside) {
    return new Membership(
        view, member, shared, begin, log.tail(), joinAside, lastOf(member.session()));
  }

  void add(Membership reader) {
    Membership[] more = new Membership[memberships.length + 1];
    System.arraycopy(memberships, 0, more, 0, memberships.length);
    more[memberships.length] = reader;
    memberships = more;
  }

  /** Gives back the segments that nobody needs; whether there were any. */
  boolean release() {
    return log.release(needed());
  }

  /** Shortens the past of the room, and gives back what nobody needs. */
  void shorten(long pastBytes) {
    boolean _ = log.shorten(pastBytes, needed());
  }

  /** The first position that somebody needs. */
  private long needed() {
    long position = log.tail().position();
    for (Membership each : memberships) {
      position = Math.min(position, each.pinned());
    }
    return position;
  }

  /** Closes members beyond the send deadline, removes those that are over, releases. */
  void tick() {
    long now = fanOut.nanoTime();
    List<Membership> over = new ArrayList<>();
    for (Membership each : memberships) {
      boolean stuck = each.stuckNanos(now) > sendDeadlineNanos;
      if (each.isOver() || (stuck && each.isClosed() && each.abandon())) {
        over.add(each);
      } else if (stuck && !each.isClosed()) {
        space.closeSlow(each, SlowCause.SEND_DEADLINE);
      }
    }
    remove(over);
    release();
  }

  private void remove(List<Membership> over) {
    if (!over.isEmpty()) {
      List<Membership> kept = new ArrayList<>(List.of(memberships));
      kept.removeAll(over);
      memberships = kept.toArray(Membership[]::new);
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
    List<Membership> abandoned = new ArrayList<>();
    for (Membership each : memberships) {
      if (each.isClosed() && each.abandon()) {
        abandoned.add(each);
      }
    }
    remove(abandoned);
    return release();
  }

  private boolean closeLaggards() {
    long foremost = 0;
    for (Membership each : memberships) {
      foremost = Math.max(foremost, each.isReading() ? each.position() : 0);
    }
    long now = fanOut.nanoTime();
    boolean any = false;
    for (Membership each : memberships) {
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
    for (Membership each : memberships) {
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
    for (Membership each : memberships) {
      boolean candidate = stopping ? each.isReading() : each.isHeldUpBySocket(now, patienceNanos);
      if (candidate && (slowest == null || each.position() < slowest.position())) {
        slowest = each;
      }
    }
    return slowest;
  }
}
