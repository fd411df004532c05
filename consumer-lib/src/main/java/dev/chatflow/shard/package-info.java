/**
 * A shard's log as everybody who reads it understands it: entries by place, what the last of them
 * say, and which of them count.
 */
@NullMarked
package dev.chatflow.shard;

import org.jspecify.annotations.NullMarked;
