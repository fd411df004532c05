package dev.chatflow.consumer;

import dev.chatflow.room.Shard;
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

  /** An own flight was handed over; its {@code messages} took this long since it was published. */
  void lag(Duration publishToHandOff, int messages);

  /** An own flight went from the hand-off into its rooms' logs in this time. */
  void append(Duration handOffToAppend);

  /** Own messages are in their rooms' logs, this long after the oldest of them was accepted. */
  void endToEnd(Duration acceptToAppend, int messages);

  /**
   * Messages went to their rooms.
   *
   * @param own whether this server published them
   */
  void consumed(int messages, boolean own);

  /** Something was dropped: AMQP messages of a lane, else chat messages. */
  void duplicate(Duplicate kind);

  /** Messages of a shard may be missing. */
  void gap(Shard shard);

  /** A line that nobody can decode went to the dead letters. */
  void poison();

  /** AMQP messages held without acknowledgement grew or, when negative, shrank. */
  void unacked(int change);
}
