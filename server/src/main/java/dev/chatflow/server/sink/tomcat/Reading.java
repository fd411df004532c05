package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.Timer;
import java.time.Duration;

/**
 * Stops and resumes the reading of one connection, without losing data that the container has read
 * already.
 *
 * <p>Tomcat's code (11.0.25, {@code WsFrameBase.resume}) can lose a wake-up: if reading is resumed
 * after its thread has left the loop over buffered messages because of a suspension, and before
 * that thread has noted the suspension, the rest of the buffer is not processed until the peer
 * sends more. So a resumption waits while the container's thread is in that state, and is tried
 * again a moment later.
 *
 * <p>Thread-safe; the last request counts. At most one retry is pending.
 */
final class Reading {

  /** The reading side of a container's connection. */
  interface Switch {

    void suspend();

    void resume();

    /** Returns whether the container's thread was asked to stop and has not stopped yet. */
    boolean isStopping();
  }

  private static final Duration RETRY_AFTER = Duration.ofMillis(1);

  private final Switch reader;
  private final Timer timer;

  // Guarded by this.
  private boolean stopWanted;
  private boolean stopped;
  private boolean retrying;

  Reading(Switch reader, Timer timer) {
    this.reader = reader;
    this.timer = timer;
  }

  synchronized void stop() {
    stopWanted = true;
    apply();
  }

  synchronized void resume() {
    stopWanted = false;
    apply();
  }

  private synchronized void retry() {
    retrying = false;
    apply();
  }

  private void apply() {
    if (stopWanted == stopped) {
      return;
    }
    if (stopWanted) {
      reader.suspend();
      stopped = true;
    } else if (!reader.isStopping()) {
      reader.resume();
      stopped = false;
    } else if (!retrying) {
      retrying = true;
      timer.after(RETRY_AFTER, this::retry);
    }
  }
}
