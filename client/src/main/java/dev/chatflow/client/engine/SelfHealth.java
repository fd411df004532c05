package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Judges whether a load thread keeps up with its work, and why it does not. Belongs to that thread.
 *
 * <p>In an interval the loop is <em>behind</em> if it hardly ever waits. In the open model it is
 * also behind if the 99th percentile of send delays exceeds 5 ms and a tenth of the median
 * delivery. That does not yet blame the client: on a busy machine every program is late. The client
 * is <em>saturated</em> if the work due needs nearly a full core of this thread, if the client's
 * threads used all cores, or if its garbage collector paused it. Otherwise the machine was busy
 * (<em>starved</em>).
 */
final class SelfHealth {
  private static final double BUSY = 0.9;
  private static final double NEAR_FULL = 0.8;
  private static final double MUCH_COLLECTION = 0.1;
  private static final double LEAST_KEPT = 0.01;

  /** Minimum share of a core for an estimate of the remaining work. */
  private static final double LEAST_SAMPLE = 0.25;

  private static final long LATE_MICROS = TimeUnit.MILLISECONDS.toMicros(5);
  private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(1);

  private final LoadContext context;
  private final long everyNanos;
  private final Supplier<CpuUse> cpu;
  private final int cores;
  private final boolean open;
  private final Histogram lateness = new Histogram(MAX_MICROS, 3);
  private long sinceNanos;
  private long waitedBefore;
  private long backlogBefore;
  private CpuUse cpuBefore = CpuUse.NONE;

  SelfHealth(LoadContext context, long everyNanos, Supplier<CpuUse> cpu, int cores) {
    this.context = context;
    this.everyNanos = everyNanos;
    this.cpu = cpu;
    this.cores = cores;
    open = context.plan.pacing().model() == Pacing.Model.OPEN;
  }

  /** Starts the main phase. */
  void start(long now) {
    begin(now, 0, cpu.get());
  }

  /** Records the delay with which a due send was noticed. */
  void noticed(long lateNanos) {
    lateness.recordValue(Math.min(lateNanos / 1000, MAX_MICROS));
  }

  /**
   * Ends an interval of the main phase, with its delivery histogram. A busy loop may span several
   * intervals.
   *
   * @param backlogNanos how far the loop is behind the schedule
   */
  void endInterval(long now, long backlogNanos) {
    CpuUse cpuNow = cpu.get();
    CpuUse used = cpuNow.minus(cpuBefore);
    long length = Math.max(1, now - sinceNanos);
    long waited = context.transport.traffic().waitedNanos - waitedBefore;
    long busy = Math.clamp(length - waited, 0, length);
    Tally tally = context.tally;
    long intervals = Math.round((double) length / everyNanos);
    tally.add(Count.INTERVALS, intervals);
    tally.add(Count.MAIN_NANOS, length);
    tally.add(Count.BUSY_NANOS, busy);
    tally.add(Count.LOOP_CPU_NANOS, used.threadNanos());
    tally.add(Count.LOOP_QUEUED_NANOS, used.queuedNanos());
    if (busy > length * BUSY || isLate()) {
      double kept = 1 - (double) (backlogNanos - backlogBefore) / length;
      if (isOwnFault(used, length, Math.clamp(kept, LEAST_KEPT, 1))) {
        tally.add(Count.SATURATED_INTERVALS, intervals);
      } else {
        tally.add(Count.STARVED_INTERVALS, intervals);
      }
    }
    lateness.reset();
    begin(now, backlogNanos, cpuNow);
  }

  private void begin(long now, long backlogNanos, CpuUse cpuNow) {
    sinceNanos = now;
    backlogBefore = backlogNanos;
    cpuBefore = cpuNow;
    waitedBefore = context.transport.traffic().waitedNanos;
  }

  /**
   * Returns whether a loop that is behind is itself the cause.
   *
   * @param kept share of the interval's schedule that was handled; the rest would also need CPU
   */
  private boolean isOwnFault(CpuUse used, long length, double kept) {
    boolean shows = used.threadNanos() >= LEAST_SAMPLE * length;
    double needed = shows ? used.threadNanos() / kept : 0;
    boolean collected = // a collector with little CPU time waited for a CPU itself
        used.collectionNanos() * shareGot(used) >= MUCH_COLLECTION * length
            && used.processNanos() >= used.collectionNanos() / 2;
    return needed >= NEAR_FULL * length
        || used.processNanos() >= BUSY * cores * length
        || collected;
  }

  /** Returns this thread's share of a core while it could run: no other thread here gets more. */
  private static double shareGot(CpuUse used) {
    long runnable = used.threadNanos() + used.queuedNanos();
    return runnable == 0 ? 1 : (double) used.threadNanos() / runnable;
  }

  private boolean isLate() {
    long late = lateness.getValueAtPercentile(99);
    Histogram delivery = context.recorder.active().of(Series.DELIVERY, Clock.SERVICE);
    return open && late > Math.max(LATE_MICROS, delivery.getValueAtPercentile(50) / 10);
  }
}
