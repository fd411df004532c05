/**
 * The way of a shard's messages into its log: what waits, the one entry in the air, and what has
 * not been read back.
 */
@NullMarked
package dev.chatflow.server.lane;

import org.jspecify.annotations.NullMarked;
