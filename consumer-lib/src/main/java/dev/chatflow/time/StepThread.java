package dev.chatflow.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that lets passive machines do what is due, one after another, and sleeps until the next
 * thing is due or somebody wakes it. An error that a machine throws ends the process.
 */
public final class StepThread implements AutoCloseable {

  /** Does what is due and waits for nothing but the answers to its own requests. */
  @FunctionalInterface
  public interface Passive {

    /** Returns in how many ns something will be due, if nobody wakes; 0 for at once. */
    long step(long nowNanos);
  }

  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Thread thread;
  private volatile List<Passive> machines = List.of();
  private volatile boolean woken;
  private volatile boolean closed;

  public StepThread(String name) {
    thread =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .uncaughtExceptionHandler(new LastResort())
            .unstarted(this::run);
  }

  /** Begins; the machines may have been made with {@link #wake} as their own. */
  public void start(List<Passive> passive) {
    machines = List.copyOf(passive);
    thread.start();
  }

  /** Something may be due. Any thread; never waits. */
  public void wake() {
    if (!woken) {
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      woken = false; // before the look: what comes behind it wakes again
      long due = LONGEST_NANOS;
      for (Passive machine : machines) {
        due = Math.min(due, machine.step(System.nanoTime()));
      }
      if (due > 0 && !woken && !closed) {
        LockSupport.parkNanos(this, due);
      }
    }
  }

  /** Ends it after the step in hand, for which it waits a few seconds at most. */
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
