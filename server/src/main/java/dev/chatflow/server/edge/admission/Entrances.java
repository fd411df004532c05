package dev.chatflow.server.edge.admission;

import dev.chatflow.room.log.Past;
import java.util.ArrayDeque;

/**
 * What the JOINs of one connection ask for of the past, until each has come back.
 *
 * <p>Thread-safe. Bounded by the sender's window, for each is a message under way.
 */
public final class Entrances {

  private record Asked(long stamp, Past past) {}

  // Guarded by this.
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private Past granted = Past.NONE;

  /** A JOIN was taken under this stamp; a later one has a greater stamp. */
  public synchronized void ask(long stamp, Past past) {
    if (!past.isNone()) {
      asked.add(new Asked(stamp, past));
    }
  }

  /** The JOIN with this stamp came back: it is the one that {@link #past} is of. */
  public synchronized void cameBack(long stamp) {
    granted = Past.NONE;
    while (!asked.isEmpty() && asked.element().stamp() <= stamp) {
      Asked next = asked.remove();
      granted = next.stamp() == stamp ? next.past() : Past.NONE;
    }
  }

  /** What the JOIN that came back last asks for. */
  public synchronized Past past() {
    return granted;
  }
}
