/**
 * What is seen of a run besides its messages: the broker, metrics pages, the standalone consumer,
 * and the client's own process and machine. Never on the message path.
 */
@NullMarked
package dev.chatflow.client.observe;

import org.jspecify.annotations.NullMarked;
