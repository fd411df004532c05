/** What is remembered of a shard's log, by place, and the verdict on what follows. */
@NullMarked
package dev.chatflow.shard.window;

import org.jspecify.annotations.NullMarked;
