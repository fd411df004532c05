package dev.chatflow.consumer;

/**
 * Who this server is among those on the broker, and how it reads.
 *
 * @param serverId the server's name, unique in the cluster, without {@code /}
 * @param bootEpoch when this process started, in ms since the epoch: tells its boots apart
 * @param shards the cluster's number of shards
 * @param threads number of consumer threads, at most one a shard; thread c has the shards {@code s
 *     mod threads == c}
 * @param prefetch AMQP messages a thread may hold unacknowledged
 */
public record ConsumerConfig(
    String serverId, long bootEpoch, int shards, int threads, int prefetch) {

  /** Above it the client library's work pool blocks the whole connection. */
  public static final int MAX_PREFETCH = 1_000;

  public ConsumerConfig {
    if (serverId.isEmpty() || serverId.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "server id must not be empty or hold a '/', not '" + serverId + "'");
    }
    if (shards < 1) {
      throw new IllegalArgumentException("shards must be at least 1, not " + shards);
    }
    if (threads < 1 || threads > shards) {
      throw new IllegalArgumentException(
          "consumer threads must be 1 to the number of shards " + shards + ", not " + threads);
    }
    if (prefetch < 1 || prefetch > MAX_PREFETCH) {
      throw new IllegalArgumentException(
          "prefetch must be 1 to " + MAX_PREFETCH + ", not " + prefetch);
    }
  }

  /** Whether a thread has a shard. */
  public boolean hasShard(int thread, int shard) {
    return shard < shards && shard % threads == thread;
  }
}
