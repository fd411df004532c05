/**
 * The transport that the engine uses: WebSocket connections and posts, with their credentials and
 * trusted certificates.
 */
@NullMarked
package dev.chatflow.client.transport;

import org.jspecify.annotations.NullMarked;
