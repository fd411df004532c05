package dev.chatflow.server.publish;

import java.time.Duration;

/**
 * Who this server is, and the bounds of its publishing side.
 *
 * @param serverId the server's name, unique in the cluster
 * @param bootEpoch when this process started, in ms since the epoch
 * @param shards the cluster's number of shards: one lane each
 * @param channelPoolSize most channels open at once; with lanes at most one a shard is in use
 * @param laneBytes bound on what one lane has taken and not seen come back, in bytes; beyond it
 *     senders are not read
 * @param confirmTimeout patience for a confirm; does not run while the broker takes no publishes
 * @param failuresToOpen attempts of any lanes that fail in a row before newcomers are refused
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
