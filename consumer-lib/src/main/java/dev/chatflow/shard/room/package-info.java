/** The shards' logs as the rooms of a server show them. */
@NullMarked
package dev.chatflow.shard.room;

import org.jspecify.annotations.NullMarked;
