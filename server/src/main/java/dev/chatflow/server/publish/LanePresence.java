package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.PresenceHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The presence information that a lane has to publish: headers for its next entry, and pages, which
 * are separate entries. Thread-safe. Bounded: only the newest request, digest and snapshot wait,
 * and each lost lane once.
 */
final class LanePresence {

  // Guarded by this.
  private final ArrayDeque<byte[]> pages = new ArrayDeque<>();
  private final Set<Lane> lostLanes = new LinkedHashSet<>();
  private long request;
  private @Nullable Digest members;
  private boolean pageWasLast;

  synchronized void requestSnapshots(long number) {
    request = number;
  }

  synchronized void announceLost(Collection<Lane> lanes) {
    lostLanes.addAll(lanes);
  }

  synchronized void announceMembers(Digest digest) {
    members = digest;
  }

  synchronized void sendSnapshot(List<byte[]> answer) {
    pages.clear();
    pages.addAll(answer);
  }

  /** Takes the headers of the next entry. */
  synchronized PresenceHeaders takePresenceHeaders() {
    PresenceHeaders presenceHeaders = new PresenceHeaders(request, members, someLost());
    request = 0;
    members = null;
    return presenceHeaders;
  }

  private List<Lane> someLost() {
    if (lostLanes.isEmpty()) {
      return List.of();
    }
    List<Lane> some =
        new ArrayList<>(lostLanes)
            .subList(0, Math.min(PresenceHeaders.MAX_LOST_LANES, lostLanes.size()));
    some.forEach(lostLanes::remove);
    return some;
  }

  /**
   * Takes the next page if it is its turn: between two pages there is a flight, if one waits; else
   * null.
   */
  synchronized byte @Nullable [] takePage(boolean flightWaits) {
    pageWasLast = !pages.isEmpty() && !(flightWaits && pageWasLast);
    return pageWasLast ? pages.poll() : null;
  }

  /** Returns whether something cannot wait for the next beacon. */
  synchronized boolean isHurried() {
    return request != 0 || !lostLanes.isEmpty() || !pages.isEmpty();
  }

  /** Discards everything, because the reader lost its state. */
  synchronized void forget() {
    pages.clear();
    lostLanes.clear();
    request = 0;
    members = null;
  }
}
