/**
 * How AMQP messages are read: a channel for each thread, hand-over, duplicate filter,
 * acknowledgements, dead letters.
 *
 * <p>Offered to programs: {@link dev.chatflow.consumer.ConsumerThreads}. What a thread reads and
 * what becomes of it is its {@link dev.chatflow.consumer.Duty}: a server's in {@code
 * consumer.room}, the standalone consumer's in {@code standalone}; what both need of a delivery is
 * public for them.
 */
@NullMarked
package dev.chatflow.consumer;

import org.jspecify.annotations.NullMarked;
