package dev.chatflow.server.publish;

import java.time.Duration;

/**
 * The identity of this server and the bounds of its publishing side.
 *
 * @param serverId the server's name, unique in the cluster
 * @param bootEpoch when this process started, in ms since the epoch
 * @param shards the cluster's number of shards: one lane each
 * @param channelPoolSize maximum channels open at once; lanes use at most one per shard
 * @param laneBytes bound on the bytes that one lane has accepted and not read back; beyond it
 *     senders are not read
 * @param confirmTimeout maximum wait for a confirm; does not run while the broker accepts no
 *     publishes
 * @param failuresToOpen consecutive failed attempts of any lanes before new clients are rejected
 */
public record PublishConfig(
    String serverId,
    long bootEpoch,
    int shards,
    int channelPoolSize,
    long laneBytes,
    Duration confirmTimeout,
    int failuresToOpen) {

  public PublishConfig {
    if (serverId.isEmpty() || serverId.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "server id must not be empty or hold a '/', not '" + serverId + "'");
    }
    if (shards < 1) {
      throw new IllegalArgumentException("shards must be at least 1, not " + shards);
    }
    if (channelPoolSize < 1) {
      throw new IllegalArgumentException(
          "channel pool size must be at least 1, not " + channelPoolSize);
    }
    if (laneBytes < 1) {
      throw new IllegalArgumentException("lane bytes must be at least 1, not " + laneBytes);
    }
    if (!confirmTimeout.isPositive()) {
      throw new IllegalArgumentException("confirm timeout must be positive, not " + confirmTimeout);
    }
    if (failuresToOpen < 1) {
      throw new IllegalArgumentException(
          "failures to open must be at least 1, not " + failuresToOpen);
    }
  }
}
