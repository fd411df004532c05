/**
 * Incoming messages: WebSocket connections, and posts over HTTP.
 *
 * <p>Other packages use {@link dev.chatflow.server.edge.Handshake}, which the application registers
 * with its container, {@link dev.chatflow.server.edge.Posts}, and {@link
 * dev.chatflow.server.edge.ConnectionRegistry} to drain and count. Uses jakarta.websocket, as the
 * sinks do.
 */
@NullMarked
package dev.chatflow.server.edge;

import org.jspecify.annotations.NullMarked;
