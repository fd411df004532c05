/**
 * How one flight reaches the broker: connection, pooled channels, confirms, and whether publishes
 * get through at all.
 *
 * <p>Offered to the lanes alone; {@link dev.chatflow.server.publish.channel.CircuitState} to all
 * who tell it. Only this package knows the broker's client library on the publishing side, but for
 * the properties of a flight.
 */
@NullMarked
package dev.chatflow.server.publish.channel;

import org.jspecify.annotations.NullMarked;
