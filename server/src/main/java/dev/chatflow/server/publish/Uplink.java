package dev.chatflow.server.publish;

import java.util.function.Consumer;

/** The publisher connection, as lanes need it. Any thread. */
public interface Uplink {

  /** One attempt to publish an entry. */
  interface Attempt {

    /** Its outcome is of no use any more, and its channel in doubt. */
    void abandon();
  }

  boolean isOpen();

  /** Whether the broker has stopped taking: what is under way waits. */
  boolean isBlocked();

  /**
   * Publishes an entry; waits for nothing but a channel.
   *
   * @param outcome told once, by any thread, possibly before this returns; must not park
   */
  Attempt send(LaneEntry entry, Consumer<Confirm> outcome);
}
