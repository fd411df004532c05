/** Who is in the rooms of a shard, on all servers, as the shard's log says. */
@NullMarked
package dev.chatflow.shard.people;

import org.jspecify.annotations.NullMarked;
