package dev.chatflow.server.edge;

import dev.chatflow.server.publish.Lanes;
import dev.chatflow.shard.ClusterTime;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What every session of a server shares.
 *
 * @param serverId this server
 * @param shards K
 * @param config bounds
 * @param lanes where messages go
 * @param leaves what is owed of connections that have ended
 * @param time stamps JOINs
 * @param timer for JOINs that wait
 * @param stoodStill whether the server is just back from a standstill: nothing is taken then
 * @param meter counters
 */
public record SessionContext(
    String serverId,
    int shards,
    EdgeConfig config,
    Lanes lanes,
    OwedLeaves leaves,
    ClusterTime time,
    Timer timer,
    BooleanSupplier stoodStill,
    EdgeMeter meter) {

  /** Runs a task after a while, on a thread that must not be parked. */
  @FunctionalInterface
  public interface Timer {
    void after(Duration delay, Runnable task);
  }
}
