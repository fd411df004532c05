/**
 * Rounds: the bounded executor by which what was appended to rooms reaches its readers.
 *
 * <p>Offered to others: {@link dev.chatflow.room.fanout.FanOut}, which a program starts and closes;
 * to a room its {@link dev.chatflow.room.fanout.Round}, which asks the room for its readers. Knows
 * logs, and neither rooms nor members.
 */
@NullMarked
package dev.chatflow.room.fanout;

import org.jspecify.annotations.NullMarked;
