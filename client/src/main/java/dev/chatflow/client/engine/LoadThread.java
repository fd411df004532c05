package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A load thread with its rooms, sockets, schedule, ledgers and histograms.
 *
 * <p>{@link #run} is the thread; any thread may read {@link #progress}. Everything else is read
 * after the thread has ended.
 */
final class LoadThread implements Runnable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long STOPPED_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final LoadContext context;
  private final List<Room> rooms;
  private final List<User> users;
  private final Connects connects;
  private final @Nullable Pool pool;
  private final @Nullable Schedule schedule;
  private final @Nullable SignalTimer signals;
  private final long everyNanos;
  private final Churn churn;
  private final SelfHealth health;
  private final boolean disturbed;

  private Phase handled = Phase.CONNECT;
  private Phase arrivedAt = Phase.DONE;
  private long handOverNanos;
  private long tickNanos;
  private long publishNanos;
  private boolean gaveUp;
  private volatile Progress progress = Progress.NONE;
  private volatile @Nullable Throwable failure;

  LoadThread(
      LoadContext context,
      List<Integer> roomNumbers,
      int thread,
      long everyNanos,
      Supplier<CpuUse> cpu) {
    this.context = context;
    this.everyNanos = everyNanos;
    rooms = roomNumbers.stream().map(number -> new Room(context, number)).toList();
    users = rooms.stream().flatMap(room -> room.users().stream()).toList();
    Plan plan = context.plan;
    Workload workload = plan.workload();
    health = new SelfHealth(context, everyNanos, cpu, Runtime.getRuntime().availableProcessors());
    Disturbance disturbance = plan.disturbance();
    churn = new Churn(users, disturbance, plan.seedHere() + thread);
    disturbed = plan.connecting().http() || disturbance.reconnects() || disturbance.slowShare() > 0;
    double share = (double) users.size() / workload.users();
    connects = new Connects(inTurns(), plan.connecting().ratePerSecond() * share);
    pool = plan.isPooled() ? pool(plan, thread) : null;
    int[] numbers = users.stream().mapToInt(user -> user.member().index).toArray();
    schedule =
        plan.pacing().model() == Pacing.Model.OPEN
            ? new Schedule(plan.pacing(), workload, numbers, plan.seedHere() + thread)
            : null;
    signals = workload.extras().hasSignals() ? new SignalTimer(context, rooms) : null;
  }

  private Pool pool(Plan plan, int thread) {
    int threads = plan.loadThreads();
    int size = plan.connections() / threads + (thread < plan.connections() % threads ? 1 : 0);
    return new Pool(users, size, plan.connecting().ratePerSecond() / threads);
  }

  LoadContext context() {
    return context;
  }

  List<Room> rooms() {
    return rooms;
  }

  Progress progress() {
    return progress;
  }

  /** What ended the thread early, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether the drain ended with outstanding deliveries. */
  boolean gaveUp() {
    return gaveUp;
  }

  @Override
  public void run() {
    try {
      while (context.gate.phase() != Phase.DONE) {
        context.transport.poll(waitNanos());
        step(context.now());
      }
      if (context.plan.judging().isExact()) {
        rooms.forEach(Room::settle);
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      context.gate.fail();
    } finally {
      publish(context.now());
      context.transport.close();
    }
  }

  private void step(long now) {
    Phase phase = context.gate.phase();
    if (phase != handled) {
      handled = phase;
      enter(phase, now);
    }
    if (arrivedAt != phase && isOver(phase, now)) {
      arrivedAt = phase;
      context.gate.arrive(phase);
    }
    if (phase == Phase.MAIN) {
      churn.tick(now - context.gate.phaseNanos());
    }
    SignalTimer timer = signals;
    if (timer != null) {
      timer.tick(now);
    }
    if (disturbed && now - tickNanos >= TICK_NANOS && phase != Phase.CONNECT) {
      tickNanos = now;
      users.forEach(user -> user.tick(now));
    }
    if (now - handOverNanos >= everyNanos) {
      handOverNanos = now;
      if (phase == Phase.MAIN || phase == Phase.DRAIN) {
        endInterval();
      }
      context.recorder.handOver();
    }
    if (now - publishNanos >= 10 * TICK_NANOS) {
      publish(now);
      expire(now);
    }
  }

  private void endInterval() {
    long now = context.now(); // a step may have taken long
    health.endInterval(now, backlogNanos(now));
  }

  /** Returns how far released messages are behind the schedule. */
  private long backlogNanos(long now) {
    Schedule due = schedule;
    if (due == null || handled != Phase.MAIN || arrivedAt == Phase.MAIN) {
      return 0;
    }
    return Math.max(0, now - context.gate.phaseNanos() - due.nextNanos());
  }

  /** Returns the end of sending, since the start of the main phase. */
  private long endNanos() {
    long nanos = context.plan.workload().duration().toNanos();
    return nanos == 0 ? Long.MAX_VALUE : nanos;
  }

  private void expire(long now) {
    if ((handled == Phase.MAIN || handled == Phase.WARMUP)
        && context.plan.pacing().window() != Pacing.UNBOUNDED) {
      users.forEach(user -> user.expire(now));
    }
  }

  private void enter(Phase phase, long now) {
    if (phase == Phase.MAIN) {
      health.start(now);
      handOverNanos = now;
      context.recorder.handOver();
      context.run.waves().begin();
      users.forEach(User::pump);
    } else if (phase == Phase.WARMUP) {
      users.forEach(User::pump);
    } else if (phase == Phase.LEAVE) {
      endInterval();
    } else if (phase == Phase.CLOSE) {
      users.forEach(user -> user.close(now));
    }
  }

  private boolean isOver(Phase phase, long now) {
    boolean stopped = context.gate.isStopped();
    return switch (phase) {
      case CONNECT -> pool != null || connects.tick(now - context.gate.phaseNanos(), now, stopped);
      case JOIN -> pool != null || joinTick(now) || stopped;
      case WARMUP -> warmupTick(now) || stopped;
      case MAIN -> mainTick(now) || stopped;
      case DRAIN -> drainTick(now, stopped);
      case LEAVE -> allRooms(room -> room.leaveTick(now));
      case CLOSE ->
          users.stream().allMatch(User::isDisconnected)
              || now - context.gate.phaseNanos() > CLOSE_NANOS;
      case DONE -> false;
    };
  }

  private boolean joinTick(long now) {
    return allRooms(room -> room.joinTick(now)) && now >= context.startNanos();
  }

  /** Runs a step in every room, also after one that is not ready. */
  private boolean allRooms(java.util.function.Predicate<Room> step) {
    boolean all = true;
    for (Room room : rooms) {
      all &= step.test(room);
    }
    return all;
  }

  private boolean warmupTick(long now) {
    boolean over = users.stream().noneMatch(user -> user.isSending() || user.isBusy());
    boolean stalled = isStalled(now);
    gaveUp |= stalled && !over;
    return over || stalled;
  }

  private boolean mainTick(long now) {
    long sinceStart = now - context.gate.phaseNanos();
    Workload workload = context.plan.workload();
    long end = endNanos();
    releaseDue(Math.min(sinceStart, end - 1));
    if (sinceStart >= end) {
      return true;
    }
    if (isStalled(now)) {
      gaveUp = true;
      return true;
    }
    Pool turns = pool;
    if (turns != null) {
      return turns.tick(now);
    }
    boolean unlimitedIdle = workload.texts() == 0 && !workload.duration().isZero();
    return !unlimitedIdle && users.stream().noneMatch(User::isSending);
  }

  private void releaseDue(long sinceStart) {
    Schedule due = schedule;
    if (due == null) {
      return;
    }
    while (due.nextNanos() <= sinceStart) {
      long dueNanos = context.gate.phaseNanos() + due.nextNanos();
      User user = users.get(due.take());
      if (user.isSending()) {
        health.noticed(sinceStart - (dueNanos - context.gate.phaseNanos()));
        user.sender().release(dueNanos);
        user.pump();
      } else if (users.stream().noneMatch(User::isSending)) {
        return;
      }
    }
  }

  /** Returns whether answers are outstanding and nothing has changed for the time of the drain. */
  private boolean isStalled(long now) {
    return context.inFlight() > 0 && isQuiet(now);
  }

  private boolean isQuiet(long now) {
    long progressed = context.gate.phaseNanos();
    for (Room room : rooms) {
      progressed = Math.max(progressed, room.lastProgressNanos());
    }
    return now - progressed > context.plan.judging().drain().toNanos();
  }

  private boolean drainTick(long now, boolean stopped) {
    if (allRooms(room -> room.isDrained(now))) {
      return true;
    }
    boolean timeout = isQuiet(now);
    boolean enough = stopped && now - context.gate.phaseNanos() > STOPPED_DRAIN_NANOS;
    gaveUp |= timeout;
    return timeout || enough;
  }

  private long waitNanos() {
    SignalTimer timer = signals;
    long nanos = waitForTextsNanos();
    return timer == null ? nanos : timer.waitNanos(context.now(), nanos);
  }

  private long waitForTextsNanos() {
    Schedule due = schedule;
    if (due == null || handled != Phase.MAIN) {
      return handled == Phase.JOIN || handled == Phase.LEAVE ? TICK_NANOS / 10 : TICK_NANOS;
    }
    long next = context.gate.phaseNanos() + due.nextNanos() - context.now();
    return Math.clamp(next, 0, TICK_NANOS);
  }

  private void publish(long now) {
    publishNanos = now;
    long open = 0;
    long joined = 0;
    for (User user : users) {
      open += user.state().isConnected() ? 1 : 0;
      joined += user.isJoined() ? 1 : 0;
    }
    long absent = 0;
    long duplicates = 0;
    for (Room room : rooms) {
      absent += room.ledger().absent();
      duplicates += room.ledger().duplicates();
    }
    progress =
        new Progress(
            open,
            joined,
            context.tally.of(Count.TEXTS_WRITTEN),
            context.tally.deliveries(),
            context.inFlight(),
            absent,
            duplicates,
            context.tally.inFlightNanos());
  }

  /** Returns the users, taking rooms in turn, so that the rooms fill evenly. */
  private List<User> inTurns() {
    int size = context.plan.listeners();
    return IntStream.range(0, size)
        .boxed()
        .flatMap(roomIndex -> rooms.stream().map(room -> room.users().get(roomIndex)))
        .toList();
  }
}
