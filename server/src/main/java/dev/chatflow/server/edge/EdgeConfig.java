package dev.chatflow.server.edge;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.message.ClientRules;
import dev.chatflow.server.sink.tomcat.SinkMode;
import java.time.Duration;

/**
 * Bounds of the connections.
 *
 * @param window messages of a connection in flight before it is not read
 * @param maxConnections further connections are closed with 1013
 * @param maxPerAddress connections of one address, further ones get 429; 0 = no limit
 * @param posts posts that may be in flight
 * @param history maximum earlier frames for a JOIN, in addition to those it missed
 * @param ratePerSecond messages per second of one connection; handshakes and posts of one address;
 *     0 = no limit
 * @param heartbeat a connection without outbound traffic for this long gets a ping
 * @param joinTimeout a connection that is in no room for this long is closed with 4003
 * @param sink how frames are sent
 * @param sendDeadline how long a write may make no progress
 * @param proxies the proxies whose headers about a client are trusted
 * @param origins the pages that may use this server
 * @param access verifies tokens
 * @param rules what is accepted from clients
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
    ClientRules rules) {}
