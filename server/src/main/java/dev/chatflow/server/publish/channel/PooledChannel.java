package dev.chatflow.server.publish.channel;

import dev.chatflow.room.Shard;

/**
 * A channel in confirm mode.
 *
 * <p>One thread at a time, which has borrowed it, and one flight in the air.
 */
public interface PooledChannel {

  boolean isOpen();

  /** Publishes a flight as mandatory and waits for what becomes of it. */
  Confirm send(Flight flight) throws InterruptedException;

  Confirm bind(String queue, Shard shard);

  Confirm unbind(String queue, Shard shard);

  void close();
}
