/** What everybody who writes or reads a shard's log means by its entries and times. */
@NullMarked
package dev.chatflow.shard;

import org.jspecify.annotations.NullMarked;
