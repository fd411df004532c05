package dev.chatflow.client.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What Ctrl-C does: it stops what runs and waits until the results are written.
 *
 * <p>One thread works between construction and {@link #close}; any other may {@link #interrupt}.
 */
final class Interruption implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean interrupted;
  private volatile Runnable stop = () -> {};

  /** Names what an interrupt stops from now on. */
  void stops(Runnable action) {
    stop = action;
    if (interrupted) {
      action.run();
    }
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /** Returns whether there was something to interrupt, after it has ended or 20 seconds. */
  boolean interrupt() {
    if (finished.getCount() == 0) {
      return false;
    }
    interrupted = true;
    stop.run();
    try {
      boolean inTime = finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return inTime || interrupted;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The results are written. */
  @Override
  public void close() {
    finished.countDown();
  }
}
