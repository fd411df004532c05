/** The members of a shard's rooms on all servers, derived from the log of the shard. */
@NullMarked
package dev.chatflow.presence;

import org.jspecify.annotations.NullMarked;
