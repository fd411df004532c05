/**
 * The transport as the engine uses it: WebSocket connections and posts, the credentials that they
 * carry, and the certificates that they trust.
 */
@NullMarked
package dev.chatflow.client.transport;

import org.jspecify.annotations.NullMarked;
