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
 * One room's place in the {@link FanOut}: a run lets every member that is behind, and has no write
 * in the air, catch up by one write.
 *
 * <p>A run goes through all members when something was appended; else it serves those alone who
 * asked for it. Any thread marks it dirty; one writer at a time runs it. It is scheduled at most
 * once. After a run the next comes a pace later, so that a busy room's frames gather; a room that
 * was idle for a pace runs at once. A large room is served in slices, between which other rooms
 * that are due get their turn.
 *
 * <p>The pace doubles while writers are behind: more than half of the members served have a write
 * in the air, or the run itself came more than a pace late, or rounds take more than half of the
 * writers' time, so that longer ranges in fewer writes are worth the wait. It halves when none of
 * this holds.
 */
public final class Round implements Runnable {

  /** The pace of a room whose writers are not behind. */
  static final long MIN_PACE_NANOS = 1_000_000;

  // Shares of the writers' time: above the one the pace doubles, below the other it may halve.
  private static final double HIGH_LOAD = 0.5;
  private static final double LOW_LOAD = 0.25;

  /** Members served before other rooms get their turn. */
  static final int SLICE_MEMBERS = 250;

  private static final AtomicReferenceArray<@Nullable Reader> NOBODY =
      new AtomicReferenceArray<>(0);

  private enum State {
    /** Nothing to do, not scheduled. */
    IDLE,
    /** Scheduled a pace after a run; nothing to do so far. */
    COOLING,
    /** Scheduled, with something to do. */
    QUEUED,
    RUNNING,
    /** Running, and to run again. */
    AGAIN
  }

  /** Whom a round serves, and how far. Any thread asks. */
  public interface Audience {

    /** Behind the newest frame of the room's log. */
    Boundary tail();

    /** All readers, with holes; not to be changed. */
    AtomicReferenceArray<? extends @Nullable Reader> readers();
  }

  /** What one run has done so far. The writer that runs it alone uses it. */
  public static final class Tally {
    private int busy;
    private int writes;
    private long frames;
    private long bytes;

    private Tally() {}

    /** A reader that is behind still has a write in the air. */
    public void busy() {
      busy++;
    }

    /** A write of this range was started. */
    public void wrote(LogRange range) {
      writes++;
      frames += range.frames();
      bytes += range.bytes();
    }

    private void clear() {
      busy = 0;
      writes = 0;
      frames = 0;
      bytes = 0;
    }
  }

  private final FanOut fanOut;
  private final Audience audience;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  // Set, or asked to, before the state is made dirty; taken when a run begins.
  private final AtomicBoolean toAll = new AtomicBoolean();
  private final Queue<Reader> asking = new ConcurrentLinkedQueue<>();

  // Handed from run to run.
  private long paceNanos = MIN_PACE_NANOS;
  private long dueNanos;
  private boolean late;
  private final Tally tally = new Tally();
  private AtomicReferenceArray<? extends @Nullable Reader> readers = NOBODY;
  private int served;

  /** Makes the place of a room that is idle. */
  public Round(FanOut fanOut, Audience audience) {
    this.fanOut = fanOut;
    this.audience = audience;
  }

  /** Something was appended: waits while too many rooms wait for their round. */
  public void appended() {
    State now = state.get();
    if (now == State.IDLE || now == State.COOLING) {
      fanOut.awaitCapacity();
    }
    dirty();
  }

  /** There is something to do for all; never waits. */
  public void dirty() {
    toAll.set(true);
    queue();
  }

  /**
   * There is something to do for one reader; never waits. Bounded by what readers ask for: to
   * enter, to leave, and after each write.
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
      case COOLING -> {
        boolean queued = state.compareAndSet(State.COOLING, State.QUEUED);
        if (queued) {
          fanOut.roomWaits();
        }
        yield queued;
      }
      case IDLE -> {
        boolean queued = state.compareAndSet(State.IDLE, State.QUEUED);
        if (queued) {
          fanOut.roomWaits();
          schedule(0);
        }
        yield queued;
      }
    };
  }

  private void schedule(long delayNanos) {
    dueNanos = fanOut.nanoTime() + delayNanos;
    fanOut.schedule(this, delayNanos);
  }

  @Override
  public void run() {
    if (served == readers.length() && !begin()) {
      return;
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
        served = readers.length(); // a sink threw: its write counts as in the air
      }
      if (served < readers.length()) {
        schedule(0);
      } else {
        end();
      }
      if (!whole) {
        dirty(); // the others are served next time
      }
    }
  }

  /** Takes up the room's readers; false when there was nothing to do for a pace. */
  private boolean begin() {
    if (rest()) {
      return false;
    }
    late = fanOut.nanoTime() - dueNanos > paceNanos;
    state.set(State.RUNNING);
    fanOut.roomServed();
    readers = whom();
    served = 0;
    tally.clear();
    return true;
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
    fanOut.count(tally.writes, tally.frames, tally.bytes);
    settle();
  }

  /** Goes idle when nothing was to do for a pace. */
  private boolean rest() {
    if (state.get() != State.COOLING) {
      return false;
    }
    quicken();
    return state.compareAndSet(State.COOLING, State.IDLE);
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

  /** Comes again a pace later: to serve what came meanwhile, or to rest. */
  private void settle() {
    dueNanos = fanOut.nanoTime() + paceNanos;
    if (!state.compareAndSet(State.RUNNING, State.COOLING)) {
      fanOut.roomWaits();
      state.set(State.QUEUED);
    }
    fanOut.schedule(this, paceNanos);
  }
}
