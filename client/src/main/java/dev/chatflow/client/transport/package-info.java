/** What the engine needs of a WebSocket transport. */
@NullMarked
package dev.chatflow.client.transport;

import org.jspecify.annotations.NullMarked;
