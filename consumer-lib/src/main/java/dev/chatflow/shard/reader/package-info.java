/** Who reads a shard's log: attaching to it, following it, finding its place again. */
@NullMarked
package dev.chatflow.shard.reader;

import org.jspecify.annotations.NullMarked;
