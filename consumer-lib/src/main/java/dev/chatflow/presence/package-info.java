/** Who is in the rooms of a shard, on all servers, as the log of the shard says. */
@NullMarked
package dev.chatflow.presence;

import org.jspecify.annotations.NullMarked;
