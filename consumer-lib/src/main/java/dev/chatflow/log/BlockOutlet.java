package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import dev.chatflow.room.Shard;

/** Publishes blocks: copies of many entries of a log, for readers that start. Thread-safe. */
public interface BlockOutlet {

  /** Returns whether this process publishes with the lane. */
  boolean isOwn(Lane lane);

  /**
   * Publishes a block to the shard's log without reporting its fate: readers do without it. May
   * park for seconds. At most one is in progress for each shard, because the next one needs 256
   * more entries that this process has published and read.
   */
  void publish(Shard shard, byte[] block);
}
