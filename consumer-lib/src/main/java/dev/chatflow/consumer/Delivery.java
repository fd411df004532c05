package dev.chatflow.consumer;

import com.rabbitmq.client.AMQP;
import dev.chatflow.message.line.Batch;

/**
 * An AMQP message as it was handed over.
 *
 * @param tag its number on its channel
 * @param properties type, headers and the like
 * @param body belongs to whoever takes the delivery; may be written to
 * @param arrivedNanos {@link System#nanoTime} of the hand-over
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record Delivery(long tag, AMQP.BasicProperties properties, byte[] body, long arrivedNanos) {

  /** Whether it is without content. */
  public boolean isBeacon() {
    return body.length == 0;
  }

  /** Whether the body holds one message a line. */
  boolean isBatch() {
    return Batch.CONTENT_TYPE.equals(properties.getContentType());
  }
}
