/**
 * Publish lanes: one for each shard, one flight in the air, sent until the broker has it.
 *
 * <p>Offered to others: {@link dev.chatflow.server.publish.Lanes} with {@link
 * dev.chatflow.server.publish.Outgoing} to who accepts messages, {@link
 * dev.chatflow.server.publish.Publisher} to who starts and drains.
 */
@NullMarked
package dev.chatflow.server.publish;

import org.jspecify.annotations.NullMarked;
