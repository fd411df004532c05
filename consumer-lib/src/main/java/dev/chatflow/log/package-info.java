/**
 * The log of a shard: its entries, the window that decides whether an entry counts, and the
 * readers.
 *
 * <p>{@link dev.chatflow.log.LaneReader} reads for a server, which writes to the log too; {@link
 * dev.chatflow.log.PositionReader} reads for a program that only records. Both read by {@link
 * dev.chatflow.log.Logs}, judge by {@link dev.chatflow.log.Window} and know neither a broker nor a
 * clock.
 */
@NullMarked
package dev.chatflow.log;

import org.jspecify.annotations.NullMarked;
