/**
 * The publishing side of a server as a whole: its lanes, their channels, and whether the broker
 * confirms.
 */
@NullMarked
package dev.chatflow.server.publish;

import org.jspecify.annotations.NullMarked;
