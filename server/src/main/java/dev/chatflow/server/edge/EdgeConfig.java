package dev.chatflow.server.edge;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.message.UserIds;
import dev.chatflow.server.sink.tomcat.SinkMode;
import java.time.Duration;

/**
 * Bounds of the connections.
 *
 * @param window own messages under way before a connection is not read
 * @param maxConnections connections beyond it are closed with 1013
 * @param maxPerAddress connections of one address, beyond it 429; 0 = no limit
 * @param posts messages published over HTTP that may be under way
 * @param history the most frames of the past that a JOIN gets besides those it missed
 * @param ratePerSecond messages per second of one connection; handshakes and posts of one address;
 *     0 = no limit
 * @param heartbeat a connection without outbound traffic for this long gets a ping
 * @param joinTimeout a connection that is in no room for this long is closed with 4003
 * @param sink how frames are to leave
 * @param sendDeadline how long a write may make no progress
 * @param proxies whose word on a client's address is taken
 * @param origins whose pages may talk to this server
 * @param access whose tokens are good
 * @param userIds who may be a user
 */
public record EdgeConfig(
    int window,
    int maxConnections,
    int maxPerAddress,
    int posts,
    int history,
    int ratePerSecond,
    Duration heartbeat,
    Duration joinTimeout,
    SinkMode sink,
    Duration sendDeadline,
    TrustedProxies proxies,
    Origins origins,
    AccessConfig access,
    UserIds userIds) {}
