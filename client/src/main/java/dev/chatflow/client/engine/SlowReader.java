package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.transport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Limits the frames that a slow user reads: pauses reading after its share and continues later.
 *
 * <p>Belongs to the load thread of its user.
 */
final class SlowReader {
  private final LoadContext context;
  private long allowanceFrom;
  private long framesRead;
  private boolean paused;

  SlowReader(LoadContext context) {
    this.context = context;
  }

  /** Resets the share for a new connection. */
  void opened() {
    paused = false;
  }

  /** Counts a frame. */
  void took(@Nullable Connection connection) {
    if (context.gate.phase() != Phase.MAIN) {
      return;
    }
    framesRead++;
    if (!paused && connection != null && framesRead > allowance(context.readTime())) {
      paused = true;
      connection.pauseReading();
    }
  }

  /** Continues reading if the share allows it. */
  void tick(@Nullable Connection connection, long now) {
    boolean mayRead = context.gate.phase() != Phase.MAIN || framesRead <= allowance(now);
    if (paused && mayRead && connection != null) {
      paused = false;
      connection.resumeReading();
    }
  }

  private long allowance(long now) {
    if (allowanceFrom == 0) {
      allowanceFrom = now;
    }
    Disturbance disturbance = context.plan.disturbance();
    return (long) ((now - allowanceFrom) / 1e9 * disturbance.slowFramesPerSecond());
  }
}
