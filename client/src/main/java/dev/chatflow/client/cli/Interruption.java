package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import dev.chatflow.start.StopSignals;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What Ctrl-C and a request to terminate do while a command runs: the first stops what runs and
 * lets the results be written, for at most 20 seconds; the second ends the process at once.
 *
 * <p>One thread works between construction and {@link #close}; any other may {@link #interrupt}.
 */
final class Interruption implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean interrupted;
  private volatile Runnable stop = () -> {};

  Interruption(Surroundings surroundings) {
    surroundings.signals().accept(this);
  }

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

  /** Returns whether the command ended in time; false also for a second interrupt. */
  boolean interrupt() {
    if (interrupted) {
      return false;
    }
    interrupted = true;
    stop.run();
    try {
      return finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The results are written. */
  @Override
  public void close() {
    finished.countDown();
  }

  /** Connects it with the signals of this process. */
  static void ofProcess(Interruption interruption) {
    try {
      StopSignals.handle(() -> {
        if (!interruption.interrupt()) {
          Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
        }
      });
    } catch (ReflectiveOperationException | IllegalArgumentException _) {
      // a JVM without signals: Ctrl-C ends it without results
    }
  }
}
