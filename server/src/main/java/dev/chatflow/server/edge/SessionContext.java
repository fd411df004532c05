package dev.chatflow.server.edge;

import dev.chatflow.server.publish.Lanes;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What every session of a server shares.
 *
 * @param serverId this server
 * @param shards K
 * @param config bounds
 * @param lanes where accepted messages go
 * @param meter counters
 * @param timer for what must be tried again a moment later
 */
public record SessionContext(
    String serverId,
    int shards,
    EdgeConfig config,
    Lanes lanes,
    EdgeMeter meter,
    ScheduledExecutorService timer) {}
