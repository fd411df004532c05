/**
 * What a room shows, as bytes at absolute positions: appended once, read by any number of cursors.
 *
 * <p>Offered to others: {@link dev.chatflow.room.log.RoomLog} with its pool, cursors and boundaries
 * to the rooms; ranges and sinks to whoever writes them to a connection. Knows no room and no
 * member.
 */
@NullMarked
package dev.chatflow.room.log;

import org.jspecify.annotations.NullMarked;
