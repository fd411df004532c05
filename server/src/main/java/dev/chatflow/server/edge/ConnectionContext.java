package dev.chatflow.server.edge;

import dev.chatflow.log.ClusterTime;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.sink.Timer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * What every session of a server shares.
 *
 * @param serverId this server
 * @param shards K
 * @param config bounds
 * @param lanes where messages go
 * @param leaves what is owed of connections that have ended
 * @param gate who may be whom
 * @param joins JOINs that are not back
 * @param addresses what one address may take
 * @param quiet which rooms are so large that who comes and goes is told to nobody else
 * @param time stamps JOINs
 * @param timer clocks, and what is due later
 * @param stoodStill whether the server is just back from a standstill: nothing is taken then
 * @param meter counters
 */
public record ConnectionContext(
    String serverId,
    int shards,
    EdgeConfig config,
    Lanes lanes,
    PendingLeaves leaves,
    Gate gate,
    PendingJoins joins,
    Addresses addresses,
    Predicate<RoomId> quiet,
    ClusterTime time,
    Timer timer,
    BooleanSupplier stoodStill,
    EdgeMeter meter) {}
