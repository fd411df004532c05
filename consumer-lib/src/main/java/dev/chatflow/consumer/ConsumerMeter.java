package dev.chatflow.consumer;

import java.time.Duration;

/** What the consumer threads count. Called by each of them; no call parks its caller. */
public interface ConsumerMeter {

  /** Why a message was not shown again. */
  enum Duplicate {
    /** An AMQP message that was delivered before: redelivered, or published again. */
    LANE,
    /** A TEXT whose id was shown before. */
    RESEND,
    /** A JOIN or LEAVE that lost against a newer JOIN. */
    STALE
  }

  /** Messages are where they belong, this long after the oldest of them was accepted. */
  void endToEnd(Duration acceptToTaken);

  /** Messages went where they belong. */
  void consumed(int messages);

  /** Something was dropped: AMQP messages of a lane, else chat messages. */
  void duplicate(Duplicate kind);

  /** Messages of a shard may be missing. */
  void gap();

  /** A line that nobody can decode went to the dead letters. */
  void poison();

  /** AMQP messages held without acknowledgement grew or, when negative, shrank. */
  void unacked(int change);
}
