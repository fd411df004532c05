/**
 * Rooms and who is in them: plain Java, no broker, no container, no clock.
 *
 * <p>A {@link dev.chatflow.room.RoomLog} holds what a room shows, as bytes at absolute positions:
 * appended once, read by any number of cursors. {@link dev.chatflow.room.FanOut} is the bounded
 * executor of {@linkplain dev.chatflow.room.Round rounds}, by which what was appended reaches its
 * readers. Others use {@link dev.chatflow.room.Rooms}, on the thread that owns it, and implement
 * {@link dev.chatflow.room.Member}.
 */
@NullMarked
package dev.chatflow.room;

import org.jspecify.annotations.NullMarked;
