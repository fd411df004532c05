package dev.chatflow.server.publish;

import java.time.Duration;

/** What a lane counts. Called by the lane's thread; no call parks it. */
public interface LaneMeter {

  /** An entry with lines is published for the first time; its oldest line waited this long. */
  void waited(Duration acceptedToPublish);

  /**
   * The broker has an entry.
   *
   * @param lines the messages in it, 0 for a beacon
   * @param confirm from its last publish to its confirm
   * @param retries how often it was published again
   */
  void confirmed(int lines, Duration confirm, int retries);

  /** An attempt to publish an entry failed; it will be published again. */
  void failed(long number, Confirm outcome);

  /** An own entry was handed over by the broker, this long after it was published. */
  void readBack(Duration publishToRead);

  /** The lines of an own entry are in their rooms' logs; the oldest was taken so long ago. */
  void shown(Duration acceptedToShown);
}
