package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import dev.chatflow.start.StopSignals;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C and SIGTERM while a command runs. The first signal stops the run and leaves at
 * most 20 seconds to write results; the second ends the process at once.
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

  /** Sets the action of an interrupt from now on. */
  void stops(Runnable action) {
    stop = action;
    if (interrupted) {
      action.run();
    }
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /**
   * Interrupts the command and returns whether it ended in time; false also for a second interrupt.
   */
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

  /** Confirms that the results are written. */
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
      // without signals, Ctrl-C ends the JVM without results
    }
  }
}
