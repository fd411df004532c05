package dev.chatflow.room;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of one room in the {@link FanOut}: each run lets every member that is behind and has
 * no write in flight catch up with one write.
 *
 * <p>A run visits all members if something was appended; otherwise it serves only the members that
 * requested it. Any thread marks the room dirty; one writer at a time runs it, and it is scheduled
 * at most once. The next run follows after a pace, so that the frames of a busy room accumulate; a
 * room that was idle for a pace runs at once. A large room is served in slices, between which other
 * due rooms get their turn.
 *
 * <p>The pace doubles while writers are behind: if more than half of the served members have a
 * write in flight, the run itself was more than a pace late, or rounds take more than half of the
 * writers' time. Longer ranges in fewer writes are then worth the wait. The pace halves when none
 * of this is true.
 */
public final class Round implements Runnable {

  /** The pace of a room whose writers keep up. */
  static final long MIN_PACE_NANOS = 1_000_000;

  // Shares of the writers' time: above the first the pace doubles, below the second it may halve.
  private static final double HIGH_LOAD = 0.5;
  private static final double LOW_LOAD = 0.25;

  /** Number of members served before other rooms get their turn. */
  static final int SLICE_MEMBERS = 250;

  private static final AtomicReferenceArray<@Nullable Reader> NOBODY =
      new AtomicReferenceArray<>(0);

  private enum State {
    /** Nothing to do, not scheduled. */
    IDLE,
    /** Scheduled, with work to do. */
    QUEUED,
    RUNNING,
    /** Running, and to run again. */
    AGAIN
  }

  /** The readers that a round serves, and how far. Thread-safe. */
  public interface Audience {

    /** Returns the boundary after the newest frame of the room's log. */
    Boundary tail();

    /** Returns all readers, with holes; not to be modified. */
    AtomicReferenceArray<? extends @Nullable Reader> readers();
  }

  /** The results of one run so far. Used only by the writer that runs it. */
  public static final class Tally {
    private int busy;
    private int writes;
    private long frames;
    private long bytes;
    private long missedSignals;

    private Tally() {}

    /** Counts a reader that is behind and still has a write in flight. */
    public void busy() {
      busy++;
    }

    /** Counts a started write of this range. */
    public void wrote(LogRange range) {
      writes++;
      frames += range.frames();
      bytes += range.bytes();
    }

    /** Counts signals that a reader was too slow to get. */
    void missed(long signals) {
      missedSignals += signals;
    }

    private void clear() {
      busy = 0;
      writes = 0;
      frames = 0;
      bytes = 0;
      missedSignals = 0;
    }
  }

  private final FanOut fanOut;
  private final Audience audience;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  // Set before the state becomes dirty; cleared when a run begins.
  private final AtomicBoolean toAll = new AtomicBoolean();
  private final Queue<Reader> asking = new ConcurrentLinkedQueue<>();

  // Handed from run to run.
  private long paceNanos = MIN_PACE_NANOS;
  private long paceEndNanos;
  private long dueNanos;
  private boolean late;
  private final Tally tally = new Tally();
  private AtomicReferenceArray<? extends @Nullable Reader> readers = NOBODY;
  private int served;

  /** Creates the rounds of an idle room. */
  public Round(FanOut fanOut, Audience audience) {
    this.fanOut = fanOut;
    this.audience = audience;
    this.paceEndNanos = fanOut.nanoTime();
  }

  /** Reports appended frames. Waits while too many rooms wait for their round. */
  public void appended() {
    if (state.get() == State.IDLE) {
      fanOut.awaitCapacity();
    }
    dirty();
  }

  /** Requests a round for all readers; never waits. */
  public void dirty() {
    toAll.set(true);
    queue();
  }

  /**
   * Requests a round for one reader; never waits. Bounded, because readers request one only to
   * enter, to leave and after each write.
   */
  public void dirty(Reader reader) {
    if (!toAll.get()) {
      asking.add(reader);
    }
    queue();
  }

  private void queue() {
    while (!tryDirty()) {
      Thread.onSpinWait();
    }
  }

  private boolean tryDirty() {
    State now = state.get();
    return switch (now) {
      case QUEUED, AGAIN -> true;
      case RUNNING -> state.compareAndSet(State.RUNNING, State.AGAIN);
      case IDLE -> {
        boolean queued = state.compareAndSet(State.IDLE, State.QUEUED);
        if (queued) {
          scheduleNext();
        }
        yield queued;
      }
    };
  }

  /** Schedules the next run for the end of the pace after the previous one, or at once. */
  private void scheduleNext() {
    fanOut.roomWaits();
    long delayNanos = Math.max(0, paceEndNanos - fanOut.nanoTime());
    if (delayNanos == 0) {
      quicken();
    }
    schedule(delayNanos);
  }

  private void schedule(long delayNanos) {
    dueNanos = fanOut.nanoTime() + delayNanos;
    fanOut.schedule(this, delayNanos);
  }

  @Override
  public void run() {
    if (served == readers.length()) {
      begin();
    }
    long started = fanOut.nanoTime();
    int upTo = Math.min(readers.length(), served + SLICE_MEMBERS);
    boolean whole = false;
    try {
      serveUpTo(upTo);
      whole = true;
    } finally {
      fanOut.worked(fanOut.nanoTime() - started);
      if (!whole) {
        served = readers.length(); // a sink threw: its write counts as in flight
      }
      if (served < readers.length()) {
        schedule(0);
      } else {
        end();
      }
      if (!whole) {
        dirty(); // the remaining readers are served next time
      }
    }
  }

  private void begin() {
    late = fanOut.nanoTime() - dueNanos > paceNanos;
    state.set(State.RUNNING);
    fanOut.roomServed();
    readers = whom();
    served = 0;
    tally.clear();
  }

  private AtomicReferenceArray<? extends @Nullable Reader> whom() {
    List<Reader> some = new ArrayList<>();
    for (Reader each = asking.poll(); each != null; each = asking.poll()) {
      some.add(each);
    }
    return toAll.getAndSet(false)
        ? audience.readers()
        : new AtomicReferenceArray<>(some.toArray(Reader[]::new));
  }

  private void end() {
    readers = NOBODY;
    served = 0;
    adaptPace();
    fanOut.count(tally.writes, tally.frames, tally.bytes, tally.missedSignals);
    settle();
  }

  private void serveUpTo(int end) {
    Boundary tail = audience.tail();
    while (served < end) {
      Reader next = readers.get(served++);
      if (next != null) {
        next.serve(tail, tally);
      }
    }
  }

  private void adaptPace() {
    int busy = tally.busy;
    int active = tally.writes + busy;
    double load = fanOut.writerLoad();
    if (late || busy > active / 2 || load > HIGH_LOAD) {
      paceNanos = Math.min(2 * paceNanos, fanOut.maxPaceNanos());
    } else if (busy <= active / 8 && load < LOW_LOAD) {
      quicken();
    }
  }

  private void quicken() {
    paceNanos = Math.max(paceNanos / 2, MIN_PACE_NANOS);
  }

  /** Becomes idle, or schedules the next run if something arrived since. */
  private void settle() {
    paceEndNanos = fanOut.nanoTime() + paceNanos;
    if (!state.compareAndSet(State.RUNNING, State.IDLE)) {
      state.set(State.QUEUED);
      scheduleNext();
    }
  }
}
