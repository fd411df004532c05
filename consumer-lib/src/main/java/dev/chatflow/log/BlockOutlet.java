package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import dev.chatflow.room.Shard;

/** Publishes blocks: copies of many entries of a log, for readers that start. Thread-safe. */
public interface BlockOutlet {

  /** Returns whether this process publishes with the lane. */
  boolean isOwn(Lane lane);

  /**
   * Publishes a block to the shard's log without reporting its fate: readers do without it. May
   * park for seconds. Few are in progress at a time: the 400 entries per second of a shard make
   * fewer than two blocks, and each ends with an entry that this process has published.
   */
  void publish(Shard shard, byte[] block);
}
