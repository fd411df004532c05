package dev.chatflow.server.publish;

import java.time.Duration;

/** What the lanes count. Called by each lane's thread; no call parks its caller. */
public interface PublishMeter {

  /**
   * An AMQP message was confirmed.
   *
   * @param messages the chat messages in it, 0 for a beacon
   * @param confirm from its last publish to its confirm
   * @param retries how often it was sent again
   */
  void flight(int messages, Duration confirm, int retries);

  /** A flight is published for the first time; its oldest message waited this long. */
  void laneWait(Duration acceptToPublish);

  /** A channel was borrowed from the pool after this wait. */
  void poolWait(Duration wait);
}
