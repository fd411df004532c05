/**
 * Rooms and who is in them: plain Java, no broker, no container, no clock.
 *
 * <p>Offered to others: {@link dev.chatflow.room.Rooms} to the consumer thread that owns it, {@link
 * dev.chatflow.room.Member} to whoever keeps the connections.
 */
@NullMarked
package dev.chatflow.room;

import org.jspecify.annotations.NullMarked;
