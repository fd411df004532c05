package dev.chatflow.consumer;

import dev.chatflow.broker.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows from their numbers which entries were delivered before, and when some are missing: for a
 * queue that is bound to all its shards before it is read and ever after.
 *
 * <p>Belongs to one consumer thread; no clock of its own. Memory is bounded by lanes, not messages:
 * two boots of each server, none unseen for an hour, at most {@value #MAX_LANES} in all.
 */
public final class DuplicateFilter {

  static final int MAX_LANES = 4_096;
  private static final long LANE_EXPIRY_MILLIS = Duration.ofHours(1).toMillis();
  private static final int BOOTS = 2;

  /** What an entry turned out to be. */
  public enum Verdict {
    /** Deliver it. */
    NEW,
    /** Deliver it, and tell that entries before it are missing. */
    LOSS,
    /** Drop it: it was delivered before. */
    DUPLICATE
  }

  /**
   * An entry as the filter sees it.
   *
   * @param lane who published it
   * @param number 1, 2, 3 … in its lane; beacons have numbers too
   */
  public record Arrival(Lane lane, long number) {}

  private static final class Seen {
    private long high;
    private boolean forgiven;
    private long lastMillis;
  }

  // Least recently seen first.
  private final Map<Lane, Seen> lanes = new LinkedHashMap<>(64, 0.75f, true);

  /** The queue is another one now: the next hole of each lane is no loss of ours. */
  public void boundAnew() {
    lanes.values().forEach(seen -> seen.forgiven = true);
  }

  /**
   * Judges the next entry of the queue and remembers it as seen.
   *
   * @param nowMillis of any clock that only moves forward
   */
  public Verdict judge(Arrival arrival, long nowMillis) {
    expire(nowMillis);
    Seen seen = lanes.get(arrival.lane());
    if (seen == null) {
      seen = begin(arrival.lane());
      seen.high = arrival.number() - 1;
    }
    seen.lastMillis = nowMillis;
    if (arrival.number() <= seen.high) {
      return Verdict.DUPLICATE;
    }
    boolean hole = arrival.number() > seen.high + 1 && !seen.forgiven;
    seen.high = arrival.number();
    seen.forgiven = false;
    return hole ? Verdict.LOSS : Verdict.NEW;
  }

  private Seen begin(Lane lane) {
    forgetOldBoots(lane);
    if (lanes.size() >= MAX_LANES) {
      lanes.remove(lanes.keySet().iterator().next());
    }
    Seen seen = new Seen();
    lanes.put(lane, seen);
    return seen;
  }

  /** Makes place for a boot: of its server's others, those seen last stay. */
  private void forgetOldBoots(Lane fresh) {
    Set<Long> others = new LinkedHashSet<>();
    for (Lane lane : lanes.keySet()) {
      if (lane.serverId().equals(fresh.serverId()) && lane.bootEpoch() != fresh.bootEpoch()) {
        others.remove(lane.bootEpoch());
        others.add(lane.bootEpoch());
      }
    }
    List<Long> oldestFirst = new ArrayList<>(others);
    int forgotten = Math.max(0, oldestFirst.size() - (BOOTS - 1));
    Set<Long> old = Set.copyOf(oldestFirst.subList(0, forgotten));
    lanes
        .keySet()
        .removeIf(l -> l.serverId().equals(fresh.serverId()) && old.contains(l.bootEpoch()));
  }

  private void expire(long nowMillis) {
    Iterator<Seen> oldestFirst = lanes.values().iterator();
    while (oldestFirst.hasNext()
        && nowMillis - oldestFirst.next().lastMillis > LANE_EXPIRY_MILLIS) {
      oldestFirst.remove();
    }
  }

  int lanes() {
    return lanes.size();
  }
}
