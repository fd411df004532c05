/**
 * Observes the environment of a run: the broker, metrics pages, the standalone consumer, and the
 * client's process and machine. Never on the message path.
 */
@NullMarked
package dev.chatflow.client.observe;

import org.jspecify.annotations.NullMarked;
