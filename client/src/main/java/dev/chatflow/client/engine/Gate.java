package dev.chatflow.client.engine;

import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.PhaseTimes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The phase of all load threads, which changes when the last of them has finished it.
 *
 * <p>Any thread may read and stop; each load thread arrives once per phase and never waits here.
 */
final class Gate {
  private final int parties;
  private final PhaseTimes times;
  private final Supplier<PhaseTimes.Mark> clock;
  private final List<Runnable> wakeups = new CopyOnWriteArrayList<>();
  private volatile Phase phase = Phase.CONNECT;
  private volatile boolean stopped;
  private volatile long phaseNanos;
  private volatile long mainNanos = Long.MAX_VALUE;

  // Guarded by this
  private int arrived;

  Gate(int parties, PhaseTimes times, Supplier<PhaseTimes.Mark> clock) {
    this.parties = parties;
    this.times = times;
    this.clock = clock;
  }

  void onChange(Runnable wakeup) {
    wakeups.add(wakeup);
  }

  void start() {
    begin(Phase.CONNECT);
  }

  Phase phase() {
    return phase;
  }

  /** Returns the start of the current phase, in nanoseconds since the run's origin. */
  long phaseNanos() {
    return phaseNanos;
  }

  /** Returns the start of the main phase since the run's origin; before it, the maximum. */
  long mainNanos() {
    return mainNanos;
  }

  /** Stops sending and ends the run early. */
  void stop() {
    stopped = true;
    wakeups.forEach(Runnable::run);
  }

  boolean isStopped() {
    return stopped;
  }

  /** Records that a load thread failed, so that no other waits for it. */
  synchronized void fail() {
    stopped = true;
    begin(Phase.DONE);
    wakeups.forEach(Runnable::run);
  }

  synchronized void arrive(Phase at) {
    if (at == phase && ++arrived == parties) {
      arrived = 0;
      begin(at.next());
      wakeups.forEach(Runnable::run);
    }
  }

  private void begin(Phase next) {
    PhaseTimes.Mark mark = clock.get();
    times.begin(next, mark);
    phaseNanos = mark.nanos();
    if (next == Phase.MAIN) {
      mainNanos = phaseNanos;
    }
    phase = next;
  }
}
