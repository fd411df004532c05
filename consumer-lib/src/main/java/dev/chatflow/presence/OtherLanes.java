package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The other lanes of a shard that are there: who has told its members, who has fallen silent.
 *
 * <p>Time is counted in <em>beats</em>: own entries that were <em>read back</em> at least four
 * seconds apart. While the broker is away, or this server frozen or behind, nobody falls silent.
 * One thread; {@value #MAX_LANES} lanes at most.
 */
final class OtherLanes {

  static final int MAX_LANES = 4_096;

  /** A lane is silent after so many own beats: well above what a broker's node may cost. */
  static final int SILENT_BEATS = 15;

  /** Own entries that are read this far apart are beats: a little less than beacons are. */
  private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(3_900);

  /** So many later everybody does what one server should have done. */
  private static final int SECOND_BEATS = 2;

  /** A lane that was heard within so many beats is alive. */
  private static final int ALIVE_BEATS = 3;

  private static final Comparator<Lane> BY_AGE =
      Comparator.comparing(Lane::serverId).thenComparingLong(Lane::bootEpoch);

  private final Lane own;

  // Heard longest ago first.
  private final Map<Lane, OtherLane> lanes = new LinkedHashMap<>(16, 0.75f, true);
  private long beat;
  private long beatNanos;
  private boolean beating;

  OtherLanes(Lane own) {
    this.own = own;
  }

  void clear() {
    lanes.clear();
  }

  /** Nobody's members are known any more. */
  void askAll() {
    lanes.values().forEach(OtherLane::ask);
  }

  /** One of the server's entries was read; whether it is a beat. */
  boolean isBeat(long nowNanos) {
    boolean due = !beating || nowNanos - beatNanos >= BEAT_NANOS;
    if (due) {
      beating = true;
      beatNanos = nowNanos;
      beat++;
    }
    return due;
  }

  /** The next of the server's entries that is read is a beat. */
  void beatNext() {
    beating = false;
  }

  long beats() {
    return beat;
  }

  /** An entry of a lane was read; one that begins has no members. */
  OtherLane observed(Entry entry) {
    OtherLane present = present(entry.lane(), entry.number() == 1);
    present.observed(beat);
    return present;
  }

  private OtherLane present(Lane lane, boolean answered) {
    OtherLane known = lanes.get(lane);
    if (known != null) {
      return known;
    }
    OtherLane fresh = new OtherLane(answered, beat);
    lanes.put(lane, fresh);
    if (lanes.size() > MAX_LANES) {
      lanes.remove(lanes.keySet().iterator().next());
    }
    return fresh;
  }

  /** The lane has no members here in the log, whoever they were. */
  void lost(Lane lane) {
    if (!lane.equals(own)) {
      present(lane, true).answered();
    }
  }

  /** Another server knows of the lane: if this one does not, it is waited for. */
  void namedBy(Lane lane) {
    if (!lane.equals(own)) {
      var _ = present(lane, false);
    }
  }

  /** Of whom others must know, for their members count: at most so many. */
  List<Lane> counting(PresenceMap presence, int most) {
    return lanes.entrySet().stream()
        .filter(each -> !each.getValue().isAnswered() || presence.has(each.getKey()))
        .map(Map.Entry::getKey)
        .limit(most)
        .toList();
  }

  boolean haveAllAnswered() {
    for (OtherLane present : lanes.values()) {
      if (!present.isAnswered()) {
        return false;
      }
    }
    return true;
  }

  /** The own request was read: answers to those before it count no more. */
  void requested() {
    lanes.values().forEach(OtherLane::forgetPages);
  }

  /** Whom this server is to call gone now. Who is silent and has nobody is forgotten. */
  List<Lane> silent(PresenceMap presence) {
    List<Lane> silent = new ArrayList<>();
    for (Map.Entry<Lane, OtherLane> each : List.copyOf(lanes.entrySet())) {
      OtherLane present = each.getValue();
      long quiet = present.quiet(beat) - SILENT_BEATS;
      if (quiet < 0) {
        continue;
      }
      if (present.isAnswered() && !presence.has(each.getKey())) {
        lanes.remove(each.getKey());
      } else if (isResponsible(quiet) && present.announceLost()) {
        silent.add(each.getKey());
      }
    }
    return silent;
  }

  /** Whether this server does what one is to do, that many beats after it became due. */
  boolean isResponsible(long beatsSince) {
    return beatsSince >= SECOND_BEATS || isFirstAlive();
  }

  private boolean isFirstAlive() {
    for (Map.Entry<Lane, OtherLane> each : lanes.entrySet()) {
      boolean alive = each.getValue().quiet(beat) < ALIVE_BEATS;
      if (alive && BY_AGE.compare(own, each.getKey()) > 0) {
        return false;
      }
    }
    return true;
  }
}
