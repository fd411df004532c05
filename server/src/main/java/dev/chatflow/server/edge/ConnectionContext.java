package dev.chatflow.server.edge;

import dev.chatflow.log.ClusterTime;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.sink.Timer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The objects shared by all connections of a server.
 *
 * @param serverId this server
 * @param shards K
 * @param config the bounds
 * @param lanes receive the messages
 * @param leaves the pending LEAVEs of ended connections
 * @param gate decides which users a client may act as
 * @param joins JOINs that are not back
 * @param addresses limits of one address
 * @param quiet returns whether a room is so large that a JOIN or LEAVE is shown only to its own
 *     connection
 * @param time stamps JOINs
 * @param timer clocks and scheduled tasks
 * @param wasPaused returns whether the server just resumed after a pause of the process, so that
 *     nothing is accepted
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
    BooleanSupplier wasPaused,
    EdgeMeter meter) {}
