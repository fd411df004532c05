package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.Timer;
import java.time.Duration;

/**
 * Stops and resumes the reading of one connection, without losing what the container has read
 * already.
 *
 * <p>By its code (11.0.25, {@code WsFrameBase.resume}) Tomcat can lose a wake-up: when reading is
 * resumed after its thread has left the loop over buffered messages because of a suspension, and
 * before that thread has noted the suspension, the rest of the buffer stays where it is until the
 * peer sends more. Hence a resumption waits while the container's thread is in that state, and is
 * tried again a moment later.
 *
 * <p>Any thread wants; what is wanted last counts. At most one retry is pending.
 */
final class Reading {

  /** The container's connection, as far as its reading goes. */
  interface Switch {

    void suspend();

    void resume();

    /** Whether the container's thread has been told to stop and has not stopped yet. */
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
