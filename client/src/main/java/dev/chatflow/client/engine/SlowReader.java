package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.transport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Stops reading a connection when it had its share of frames, and reads on when there is more.
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

  /** A new connection is read from the start. */
  void opened() {
    paused = false;
  }

  /** A frame came. */
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

  /** Lets time pass. */
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
