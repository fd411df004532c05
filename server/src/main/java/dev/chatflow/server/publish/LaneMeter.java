package dev.chatflow.server.publish;

import java.time.Duration;

/** Counts events of a lane. Called by the lane's thread; no call parks it. */
public interface LaneMeter {

  /** Reports the first publish of an entry with lines; its oldest line waited this long. */
  void waited(Duration acceptedToPublish);

  /**
   * Reports a confirmed entry.
   *
   * @param lines number of messages, 0 for a beacon
   * @param confirm time from its last publish to its confirm
   * @param retries how often it was published again
   */
  void confirmed(int lines, Duration confirm, int retries);

  /** Reports a failed attempt; the entry is published again. */
  void failed(long number, Confirm outcome);

  /** Reports that the broker delivered an entry of this lane, this long after it was published. */
  void readBack(Duration publishToRead);

  /**
   * Reports that the lines of an entry are in their rooms' logs, this long after the oldest was
   * accepted.
   */
  void shown(Duration acceptedToShown);
}
