/**
 * Logs on a broker: RabbitMQ's streams, and the embedded broker's queues, which are read as rings.
 */
@NullMarked
package dev.chatflow.log.amqp;

import org.jspecify.annotations.NullMarked;
