/**
 * Deliveries to rooms: the channel-per-thread consumer, its duplicate filter and acknowledgements.
 */
@NullMarked
package dev.chatflow.consumer;

import org.jspecify.annotations.NullMarked;
