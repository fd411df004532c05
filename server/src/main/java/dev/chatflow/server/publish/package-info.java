/** Messages to the broker: one lane for each shard, one flight in the air, sent until confirmed. */
@NullMarked
package dev.chatflow.server.publish;

import org.jspecify.annotations.NullMarked;
