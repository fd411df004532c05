package dev.chatflow.server.publish.channel;

import com.rabbitmq.client.AMQP;
import java.util.List;

/**
 * One AMQP message of a lane: the same bytes, properties and sequence at every attempt.
 *
 * @param sequence its number in the lane; a beacon repeats the last
 * @param routingKey the shard's, or the room's when it holds one room
 * @param body not changed any more; empty for a beacon
 * @param messages the chat messages in it
 * @param acceptedNanos {@link System#nanoTime} when its oldest message was accepted
 * @param onConfirm who waits for its confirm
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record Flight(
    long sequence,
    String routingKey,
    AMQP.BasicProperties properties,
    byte[] body,
    int messages,
    long acceptedNanos,
    List<Runnable> onConfirm) {

  /** What a return is known by. */
  public String messageId() {
    return properties.getMessageId();
  }

  public boolean isBeacon() {
    return messages == 0;
  }
}
