package dev.chatflow.server.edge.admission;

import dev.chatflow.room.log.Past;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the JOINs of one connection ask for of the past, until each has come back.
 *
 * <p>Thread-safe. Bounded by the sender's window, for each is a message under way.
 */
public final class Entrances {

  private record Asked(long stamp, Past past) {}

  // Guarded by this. Most connections ask once or never: an empty list costs them nothing.
  private List<Asked> asked = List.of();
  private Past granted = Past.NONE;

  /** A JOIN was taken under this stamp; a later one has a greater stamp. */
  public synchronized void ask(long stamp, Past past) {
    if (!past.isNone()) {
      asked = Stream.concat(asked.stream(), Stream.of(new Asked(stamp, past))).toList();
    }
  }

  /** The JOIN with this stamp came back: it is the one that {@link #past} is of. */
  public synchronized void cameBack(long stamp) {
    granted =
        asked.stream()
            .filter(each -> each.stamp() == stamp)
            .map(Asked::past)
            .findFirst()
            .orElse(Past.NONE);
    asked = asked.stream().filter(each -> each.stamp() > stamp).toList();
  }

  /** What the JOIN that came back last asks for. */
  public synchronized Past past() {
    return granted;
  }
}
