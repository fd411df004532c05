package dev.chatflow.server.publish;

import java.util.function.Consumer;

/** The publisher connection as lanes need it. Thread-safe. */
public interface Uplink {

  /** One attempt to publish an entry. */
  interface Attempt {

    /** Abandons the attempt: its outcome is not needed, and its channel is in doubt. */
    void abandon();
  }

  boolean isOpen();

  /**
   * Returns whether the broker has stopped accepting publishes, so that attempts in flight wait.
   */
  boolean isBlocked();

  /**
   * Publishes an entry; waits only for a channel.
   *
   * @param outcome called once, by any thread, possibly before this returns; must not park
   */
  Attempt send(LaneEntry entry, Consumer<Confirm> outcome);
}
