/**
 * The WebSocket edge: the only package that knows jakarta.websocket and the container's sessions.
 */
@NullMarked
package dev.chatflow.server.edge;

import org.jspecify.annotations.NullMarked;
