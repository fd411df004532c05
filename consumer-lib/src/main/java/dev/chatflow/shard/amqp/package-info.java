/** Shards' logs on a broker: RabbitMQ's streams, and the embedded broker's queues read as rings. */
@NullMarked
package dev.chatflow.shard.amqp;

import org.jspecify.annotations.NullMarked;
