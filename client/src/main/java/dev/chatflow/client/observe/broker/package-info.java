/** Looks at RabbitMQ: queue depth over AMQP, rates and alarms by the management API. */
@NullMarked
package dev.chatflow.client.observe.broker;

import org.jspecify.annotations.NullMarked;
