package dev.chatflow.server.publish;

/**
 * A lane as statistics show it.
 *
 * @param shard index of its shard
 * @param waiting messages not yet in a flight
 * @param flights AMQP messages built since the start
 */
public record LaneView(int shard, int waiting, long flights) {}
