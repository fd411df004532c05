/**
 * Where messages come in: connections with their sessions, and publishes over HTTP.
 *
 * <p>Offered to others: {@link dev.chatflow.server.edge.Handshake}, which the application registers
 * with its container, {@link dev.chatflow.server.edge.Posts}, and the {@link
 * dev.chatflow.server.edge.ConnectionRegistry} to who drains and counts. Knows jakarta.websocket,
 * as the sinks do.
 */
@NullMarked
package dev.chatflow.server.edge;

import org.jspecify.annotations.NullMarked;
