/**
 * The log of a shard: its entries, the window that decides whether an entry is valid, and the
 * readers.
 *
 * <p>{@link dev.chatflow.log.LaneReader} reads for a server, which also writes to the log; {@link
 * dev.chatflow.log.PositionReader} reads for a program that only records. Both read from {@link
 * dev.chatflow.log.Logs} and judge with {@link dev.chatflow.log.Window}. They depend on neither a
 * broker nor a clock.
 */
@NullMarked
package dev.chatflow.log;

import org.jspecify.annotations.NullMarked;
