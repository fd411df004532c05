package dev.chatflow.server.edge;

import dev.chatflow.server.publish.Lanes;

/**
 * What every session of a server shares.
 *
 * @param serverId this server
 * @param shards K
 * @param config bounds
 * @param lanes where accepted messages go
 * @param meter counters
 */
public record SessionContext(
    String serverId, int shards, EdgeConfig config, Lanes lanes, EdgeMeter meter) {}
