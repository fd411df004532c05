/**
 * A server's deliveries: from its own queues to its rooms, and the news to those who sent them.
 *
 * <p>Offered to a server: {@link dev.chatflow.consumer.room.RoomConsumer}, what it calls back
 * ({@link dev.chatflow.consumer.room.Sessions}, {@link dev.chatflow.consumer.room.IntakeMeter}),
 * and the {@link dev.chatflow.consumer.room.ShardLink} that a lane shares with it.
 */
@NullMarked
package dev.chatflow.consumer.room;

import org.jspecify.annotations.NullMarked;
