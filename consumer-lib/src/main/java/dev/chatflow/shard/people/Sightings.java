package dev.chatflow.shard.people;

import dev.chatflow.broker.Lane;
import dev.chatflow.shard.Entry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which lanes stand in what an attaching reader reads back, and which of them may still be there:
 * they have members of whom nobody has told yet.
 *
 * <p>How long ago is said by the entries' own times. The first entry of a lane proves little: its
 * server's clock may be ahead. One thread; {@value #MAX_LANES} lanes at most.
 */
final class Sightings {

  static final int MAX_LANES = 4_096;

  /** Much longer than the others need to say the LEAVEs of a lane that is silent. */
  private static final long GONE_MILLIS = 180_000;

  /** Beacons come more often, but where nobody reads them back either. */
  private static final long LONGEST_GAP_MILLIS = 5_000;

  private static final class Sight {
    private long elapsed;
    private long lastBody;
    private boolean empty;
  }

  // Heard longest ago first.
  private final Map<Lane, Sight> lanes = new LinkedHashMap<>(16, 0.75f, true);
  private long latest = Long.MIN_VALUE;
  private long elapsed;

  /**
   * An entry was read.
   *
   * @param time when it was built, in ms
   */
  void see(Entry entry, long time, Signals signals) {
    Sight sight = lanes.get(entry.lane());
    if (sight == null) {
      sight = new Sight();
      lanes.put(entry.lane(), sight);
      if (lanes.size() > MAX_LANES) {
        lanes.remove(lanes.keySet().iterator().next());
      }
    } else if (time > latest && latest != Long.MIN_VALUE) {
      elapsed += Math.min(LONGEST_GAP_MILLIS, time - latest);
    }
    latest = Math.max(latest, time);
    sight.elapsed = elapsed;
    sight.lastBody = entry.hasLines() ? entry.number() : sight.lastBody;
    sight.empty = !entry.hasLines() && (sight.empty || saysNobody(signals, sight.lastBody));
  }

  /** Whether it has no members, and nobody was said to join since. */
  private static boolean saysNobody(Signals signals, long lastBody) {
    Digest digest = signals.members();
    return digest != null
        && digest.members() == 0
        && (digest.begins() || digest.flight() >= lastBody);
  }

  /** ms that have passed by the times of entries, as far as they can be trusted. */
  long elapsedMillis() {
    return elapsed;
  }

  /** The lanes that may be there. */
  Set<Lane> present() {
    Set<Lane> present = new LinkedHashSet<>();
    lanes.forEach((lane, sight) -> {
      if (!sight.empty && elapsed - sight.elapsed < GONE_MILLIS) {
        present.add(lane);
      }
    });
    return present;
  }

  void clear() {
    lanes.clear();
    latest = Long.MIN_VALUE;
    elapsed = 0;
  }
}
