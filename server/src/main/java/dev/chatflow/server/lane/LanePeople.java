package dev.chatflow.server.lane;

import dev.chatflow.shard.people.Digest;
import dev.chatflow.shard.people.Signals;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a lane has to say of people: headers for its next entry, and pages, which are entries of
 * their own. Any thread. Bounded: the newest request, digest and answer alone wait.
 */
final class LanePeople {

  // Guarded by this.
  private final ArrayDeque<byte[]> pages = new ArrayDeque<>();
  private long who;
  private @Nullable Digest members;
  private boolean pageWasLast;

  synchronized void ask(long request, boolean begins) {
    who = request;
    members = begins ? Digest.BEGINS : members;
  }

  synchronized void say(Digest digest) {
    members = digest;
  }

  synchronized void answer(List<byte[]> answer) {
    pages.clear();
    pages.addAll(answer);
  }

  /** What the next entry says in its headers. */
  synchronized Signals takeSignals() {
    if (who == 0 && members == null) {
      return Signals.NONE;
    }
    Signals signals = new Signals(who, members);
    who = 0;
    members = null;
    return signals;
  }

  /** The next page when it is its turn: between two there is a flight, if one waits; or null. */
  synchronized byte @Nullable [] takePage(boolean flightWaits) {
    pageWasLast = !pages.isEmpty() && !(flightWaits && pageWasLast);
    return pageWasLast ? pages.poll() : null;
  }

  synchronized boolean hasPages() {
    return !pages.isEmpty();
  }

  /** The reader knows nothing any more: nothing is to be said. */
  synchronized void forget() {
    pages.clear();
    who = 0;
    members = null;
  }
}
