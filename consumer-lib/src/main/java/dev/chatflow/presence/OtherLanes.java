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
 * The other lanes of a shard: which have sent their members, and which have fallen silent.
 *
 * <p>Time is counted in <em>beats</em>: entries of this server that were <em>read back</em> at
 * least four seconds apart. So no lane counts as silent while the broker is unavailable or this
 * server is paused or behind. One thread; at most {@value #MAX_LANES} lanes.
 */
final class OtherLanes {

  static final int MAX_LANES = 4_096;

  /** A lane is silent after this many beats: well above the downtime of a broker node. */
  static final int SILENT_BEATS = 15;

  /** Distance of beats: slightly less than the interval of beacons. */
  private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(3_900);

  /** After this many more beats every server does what one server should have done. */
  private static final int SECOND_BEATS = 2;

  /** A lane observed within this many beats is alive. */
  private static final int ALIVE_BEATS = 3;

  private static final Comparator<Lane> BY_AGE =
      Comparator.comparing(Lane::serverId).thenComparingLong(Lane::bootEpoch);

  private final Lane own;

  // Least recently observed first.
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

  /** Marks the members of all lanes as unknown. */
  void askAll() {
    lanes.values().forEach(OtherLane::ask);
  }

  /** Returns whether this entry of the server is a beat. */
  boolean isBeat(long nowNanos) {
    boolean due = !beating || nowNanos - beatNanos >= BEAT_NANOS;
    if (due) {
      beating = true;
      beatNanos = nowNanos;
      beat++;
    }
    return due;
  }

  /** Makes the next entry of the server a beat. */
  void beatNext() {
    beating = false;
  }

  long beats() {
    return beat;
  }

  /** Notes an entry of a lane; a lane that begins has no members. */
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

  /** Notes that the lane's members ended in the log. */
  void lost(Lane lane) {
    if (!lane.equals(own)) {
      present(lane, true).answered();
    }
  }

  /** Notes a lane named by another server; if it is new here, its snapshot is waited for. */
  void namedBy(Lane lane) {
    if (!lane.equals(own)) {
      var _ = present(lane, false);
    }
  }

  /**
   * Returns the lanes that other servers have to know because they may have members, at most this
   * many.
   */
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

  /** Handles this server's request in the log: snapshots for earlier requests are ignored. */
  void requested() {
    lanes.values().forEach(OtherLane::forgetPages);
  }

  /**
   * Returns the lanes that this server announces as lost now. Silent lanes without members are
   * removed.
   */
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

  /** Returns whether this server is responsible, this many beats after the action became due. */
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
