/**
 * What the engine needs of a transport: WebSocket connections and posts, what they carry, such as a
 * token, and what certificates are checked against.
 */
@NullMarked
package dev.chatflow.client.transport;

import org.jspecify.annotations.NullMarked;
