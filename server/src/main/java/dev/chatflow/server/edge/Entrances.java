package dev.chatflow.server.edge;

import dev.chatflow.message.MembersFrame;
import dev.chatflow.room.Past;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the JOINs of one connection ask for of the past, until each has come back.
 *
 * <p>Thread-safe. Bounded by the sender's window, for each is a message under way.
 */
public final class Entrances {

  private record Asked(long stamp, Past past, int names) {}

  private static final Asked NOTHING = new Asked(0, Past.NONE, MembersFrame.NOT_ASKED);

  // Guarded by this. Most connections ask once or never: an empty list costs them nothing.
  private List<Asked> asked = List.of();
  private Asked granted = NOTHING;

  /**
   * A JOIN was taken under this stamp; a later one has a greater stamp.
   *
   * @param names how many names of who is here it asks for
   */
  public synchronized void ask(long stamp, Past past, int names) {
    if (!past.isNone() || names != MembersFrame.NOT_ASKED) {
      asked = Stream.concat(asked.stream(), Stream.of(new Asked(stamp, past, names))).toList();
    }
  }

  /** The JOIN with this stamp came back: it is the one that {@link #past} is of. */
  public synchronized void cameBack(long stamp) {
    granted = asked.stream().filter(each -> each.stamp() == stamp).findFirst().orElse(NOTHING);
    asked = asked.stream().filter(each -> each.stamp() > stamp).toList();
  }

  /** What the JOIN that came back last asks for. */
  public synchronized Past past() {
    return granted.past();
  }

  /** How many names of who is here it asks for; {@link MembersFrame#NOT_ASKED} for none at all. */
  public synchronized int names() {
    return granted.names();
  }
}
