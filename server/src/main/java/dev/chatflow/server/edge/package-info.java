/**
 * Where messages come in: connections with their sessions, and publishes over HTTP.
 *
 * <p>Offered to others: {@link dev.chatflow.server.edge.Handshake}, which the application registers
 * with its container, {@link dev.chatflow.server.edge.Posts}, and the {@link
 * dev.chatflow.server.edge.SessionRegistry} to who drains and counts. This package and those below
 * it alone know jakarta.websocket.
 */
@NullMarked
package dev.chatflow.server.edge;

import org.jspecify.annotations.NullMarked;
