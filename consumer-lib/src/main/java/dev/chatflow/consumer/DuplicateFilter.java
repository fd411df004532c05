package dev.chatflow.consumer;

import dev.chatflow.broker.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * Knows from their numbers which AMQP messages were delivered before, and when some are missing.
 *
 * <p>Belongs to one consumer thread; no clock of its own. Memory is bounded by lanes, not messages:
 * two boots of each server, none unseen for an hour, at most {@value #MAX_LANES} in all.
 *
 * <p>A hole in a lane's numbers is a loss only while this server was bound to the shard all the
 * time between. How that is known: the first message its own lane builds after a bind carries the
 * binding's generation as a mark. Once the mark has come back, everything behind it came by that
 * binding; the shard is live until its own lane unbinds. A lane last seen in the same generation
 * must continue without a hole; one last seen in another has its hole forgiven once.
 */
public final class DuplicateFilter {

  static final int MAX_LANES = 4_096;
  private static final long LANE_EXPIRY_MILLIS = Duration.ofHours(1).toMillis();
  private static final int BOOTS = 2;

  /** What a message turned out to be. */
  public enum Verdict {
    /** Deliver it. */
    NEW,
    /**
     * Deliver it, and tell that messages before it are missing. A beacon has nothing to deliver.
     */
    LOSS,
    /** Drop it: it was delivered before. */
    DUPLICATE,
    /** A beacon that shows nothing new. */
    BEACON
  }

  /**
   * An AMQP message as the filter sees it.
   *
   * @param lane who published it
   * @param sequence its number; a beacon repeats the number of the lane's last message
   * @param mark the generation of its lane's binding, or 0 without a mark
   * @param beacon whether it is without content
   */
  public record Arrival(Lane lane, long sequence, long mark, boolean beacon) {}

  private static final class Seen {
    private long high;
    private long generation;
    private long lastMillis;
  }

  private final String serverId;
  private final long bootEpoch;
  private final IntToLongFunction boundGeneration;

  // The generation whose mark came back last, by shard.
  private final long[] marked;
  // By shard: what comes may lie before the mark, for a second time.
  private final boolean[] rewound;
  // Least recently seen first.
  private final Map<Lane, Seen> lanes = new LinkedHashMap<>(64, 0.75f, true);

  /**
   * Makes a filter that has seen nothing.
   *
   * @param boundGeneration the generation this server's own lane is bound as, by shard; 0 when it
   *     is not bound. May be read at any time
   */
  public DuplicateFilter(ConsumerConfig config, IntToLongFunction boundGeneration) {
    this(config.serverId(), config.bootEpoch(), new long[config.shards()], boundGeneration);
  }

  /**
   * A filter for a queue that is bound to all its shards before it is read and ever after: every
   * hole is a loss, until {@link #boundAnew}.
   */
  public static DuplicateFilter alwaysBound(int shards) {
    long[] marked = new long[shards];
    Arrays.fill(marked, 1);
    return new DuplicateFilter("", -1, marked, shard -> marked[shard]);
  }

  private DuplicateFilter(
      String serverId, long bootEpoch, long[] marked, IntToLongFunction boundGeneration) {
    this.serverId = serverId;
    this.bootEpoch = bootEpoch;
    this.boundGeneration = boundGeneration;
    this.marked = marked;
    this.rewound = new boolean[marked.length];
  }

  /**
   * The queue of an {@link #alwaysBound} filter is another: the next hole of a lane is forgiven.
   */
  public void boundAnew() {
    Arrays.setAll(marked, shard -> marked[shard] + 1);
  }

  /** Whether this process published it. */
  public boolean isOwn(Lane lane) {
    return lane.bootEpoch() == bootEpoch && lane.serverId().equals(serverId);
  }

  /**
   * The queue is read anew and may repeat what was not acknowledged: until a mark comes, a repeated
   * beacon says nothing of the present binding.
   */
  public void reopened() {
    Arrays.fill(rewound, true);
  }

  /**
   * Judges the next message of the queue and remembers it as seen.
   *
   * @param nowMillis of any clock that only moves forward
   */
  public Verdict judge(Arrival arrival, long nowMillis) {
    expire(nowMillis);
    int shard = arrival.lane().shard();
    if (isOwn(arrival.lane()) && arrival.mark() >= Math.max(1, marked[shard])) {
      marked[shard] = arrival.mark();
      rewound[shard] = false;
    }
    Seen seen = lanes.get(arrival.lane());
    if (seen == null) {
      seen = begin(arrival.lane());
      seen.high = arrival.beacon() ? arrival.sequence() : arrival.sequence() - 1;
      seen.generation = marked[shard];
    }
    seen.lastMillis = nowMillis;
    return judge(seen, arrival);
  }

  private Verdict judge(Seen seen, Arrival arrival) {
    int shard = arrival.lane().shard();
    long expected = arrival.beacon() ? seen.high : seen.high + 1;
    if (arrival.sequence() < expected) {
      return Verdict.DUPLICATE;
    }
    boolean loss =
        arrival.sequence() > expected && isLive(shard) && seen.generation == marked[shard];
    if (arrival.sequence() > seen.high || !rewound[shard]) {
      seen.generation = marked[shard];
    }
    seen.high = arrival.sequence();
    if (loss) {
      return Verdict.LOSS;
    }
    return arrival.beacon() ? Verdict.BEACON : Verdict.NEW;
  }

  /** A mark older than the binding counts for nothing. */
  private boolean isLive(int shard) {
    return marked[shard] > 0 && marked[shard] == boundGeneration.applyAsLong(shard);
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
