/**
 * Rooms and their members in plain Java, without broker, container or clock.
 *
 * <p>A {@link dev.chatflow.room.RoomLog} holds the frames of a room as bytes at absolute positions:
 * appended once, read by any number of cursors. {@link dev.chatflow.room.FanOut} is the bounded
 * executor of {@linkplain dev.chatflow.room.Round rounds}, which send appended frames to the
 * readers. Other packages use {@link dev.chatflow.room.Rooms}, on the thread that owns it, and
 * implement {@link dev.chatflow.room.Member}.
 */
@NullMarked
package dev.chatflow.room;

import org.jspecify.annotations.NullMarked;
