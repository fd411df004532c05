package dev.chatflow.consumer;

import java.time.Duration;

/** What the consumer threads count. Called by each of them; no call parks its caller. */
public interface ConsumerMeter {

  /** Messages are where they belong, this long after the oldest of them was accepted. */
  void endToEnd(Duration acceptToTaken);

  /** Messages went where they belong. */
  void consumed(int messages);

  /** An AMQP message was delivered before: redelivered, or published again. */
  void duplicate();

  /** Messages of a shard may be missing. */
  void gap();

  /** A line that nobody can decode went to the dead letters. */
  void poison();

  /** AMQP messages held without acknowledgement grew or, when negative, shrank. */
  void unacked(int change);
}
