package dev.chatflow.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that steps passive machines one after another, and sleeps until the next work is due or
 * another thread wakes it. An error thrown by a machine ends the process. A machine that throws an
 * exception is restarted after a pause, and the others continue.
 */
public final class StepThread implements AutoCloseable {

  /** A machine that does the work that is due and waits only for answers to its own requests. */
  @FunctionalInterface
  public interface Passive {

    /** Returns the ns until work will be due if the thread is not woken; 0 for at once. */
    long step(long nowNanos);

    /**
     * Restarts after an exception in {@link #step}: drops unfinished work, so that the next step
     * can do it again.
     */
    default void restart(String why, long nowNanos) {}
  }

  private static final Logger log = LoggerFactory.getLogger(StepThread.class);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int FIRST_PAUSE_MILLIS = 50;
  private static final int MAX_PAUSE_MILLIS = 1_000;

  /** A machine that has run for this long without an exception has recovered. */
  private static final long RECOVERED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  /** A machine and the last exception it threw. Used only by the thread, except for the trouble. */
  private final class Guarded {
    private final Passive machine;
    private final BackOff pauses = new BackOff(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
    private final RateLimitedLog reports = new RateLimitedLog(REPORT_EVERY, System.nanoTime());
    private volatile String trouble = "";
    private long failedNanos;
    private long resumeNanos;

    Guarded(Passive machine) {
      this.machine = machine;
    }

    long step(long now) {
      if (trouble.isEmpty()) {
        return guarded(now);
      }
      if (now - resumeNanos < 0) {
        return resumeNanos - now;
      }
      long due = guarded(now);
      if (now - failedNanos >= RECOVERED_NANOS) {
        trouble = "";
        pauses.reset();
      }
      return due;
    }

    private long guarded(long now) {
      try {
        return machine.step(now);
      } catch (RuntimeException e) {
        return failed(e, now);
      }
    }

    private long failed(RuntimeException failure, long now) {
      long held = reports.take(now);
      if (held != RateLimitedLog.NOT_NOW) {
        log.error("{} failed and is restarted ({} more times since)", name, held, failure);
      }
      trouble = name + " failed: " + failure.getClass().getSimpleName();
      failedNanos = now;
      long pause = TimeUnit.MILLISECONDS.toNanos(pauses.nextMillis());
      resumeNanos = now + pause;
      try {
        machine.restart(trouble, now);
      } catch (RuntimeException e) {
        log.debug("{} cannot be restarted yet", name, e); // the next step fails again, and reports
      }
      return pause;
    }
  }

  private final String name;
  private final Thread thread;
  private volatile List<Guarded> machines = List.of();
  private volatile boolean woken;
  private volatile boolean closed;

  public StepThread(String name) {
    this.name = name;
    thread =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .uncaughtExceptionHandler(new UncaughtHandler())
            .unstarted(this::run);
  }

  /** Starts the thread; the machines may already use {@link #wake}. */
  public void start(List<Passive> passive) {
    machines = passive.stream().map(Guarded::new).toList();
    thread.start();
  }

  /** Returns which machine failed lately, for operators; empty if none did. Any thread may call. */
  public String trouble() {
    return machines.stream()
        .map(machine -> machine.trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Wakes the thread because work may be due. Thread-safe; never waits. */
  public void wake() {
    if (!woken) {
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      woken = false; // before the check: a later wake wakes again
      long due = LONGEST_NANOS;
      for (Guarded machine : machines) {
        due = Math.min(due, machine.step(System.nanoTime()));
      }
      if (due > 0 && !woken && !closed) {
        LockSupport.parkNanos(this, due);
      }
    }
  }

  /** Ends the thread after the current step, for which it waits at most a few seconds. */
  @Override
  public void close() {
    closed = true;
    wake();
    LockSupport.unpark(thread);
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
