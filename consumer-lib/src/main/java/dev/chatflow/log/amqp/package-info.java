/**
 * Logs on a broker: streams of RabbitMQ, and the queues of the embedded broker, which are read as
 * rings.
 */
@NullMarked
package dev.chatflow.log.amqp;

import org.jspecify.annotations.NullMarked;
