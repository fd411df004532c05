package dev.chatflow.server;

import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.Posts;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A drain with a clock of the test. */
public final class DrainSteps {

  private final Drain drain;

  public DrainSteps(
      ConnectionRegistry connections,
      Posts posts,
      BooleanSupplier lanesAreEmpty,
      BooleanSupplier farewell,
      BooleanSupplier cursorsAreCaughtUp,
      Duration timeout,
      long nowNanos) {
    drain =
        new Drain(
            new Drain.Parts(connections, posts, lanesAreEmpty, farewell, cursorsAreCaughtUp),
            new ServerConfig.Drain(Duration.ZERO, timeout),
            nowNanos);
  }

  /** Returns false while there is something to wait for. */
  public boolean step(long nowNanos) {
    return drain.step(nowNanos);
  }

  public boolean isComplete() {
    return drain.isComplete();
  }
}
