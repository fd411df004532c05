package dev.chatflow.shard.people;

import dev.chatflow.broker.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The other lanes of a shard that are there: who has told its members, who has fallen silent.
 *
 * <p>Time is counted in <em>beats</em>: own entries that were <em>read back</em> at least four
 * seconds apart. While the broker is away, or this server frozen or behind, nobody falls silent.
 * One thread.
 */
final class RollCall {

  /** A lane is silent after so many own beats: well above what a broker's node may cost. */
  static final int SILENT_BEATS = 15;

  /** So many later everybody says its LEAVEs who still sees somebody. */
  private static final int SECOND_BEATS = SILENT_BEATS + 2;

  /** A lane that was heard within so many beats is alive. */
  private static final int ALIVE_BEATS = 3;

  private static final Comparator<Lane> BY_AGE =
      Comparator.comparing(Lane::serverId).thenComparingLong(Lane::bootEpoch);

  private final Lane own;
  private final Map<Lane, Present> lanes = new HashMap<>();
  private long beat;

  RollCall(Lane own) {
    this.own = own;
  }

  /** Begins with those who may be there. */
  void begin(Set<Lane> sighted) {
    lanes.clear();
    for (Lane lane : sighted) {
      if (!lane.equals(own)) {
        lanes.put(lane, new Present(false, beat));
      }
    }
  }

  void clear() {
    lanes.clear();
  }

  void beat() {
    beat++;
  }

  long beats() {
    return beat;
  }

  /** An entry of a lane was read; one that begins has no members. */
  Present heard(Lane lane, long number) {
    Present present = lanes.get(lane);
    if (present == null) {
      present = new Present(number == 1, beat);
      lanes.put(lane, present);
    }
    present.heard(beat);
    return present;
  }

  boolean haveAllAnswered() {
    for (Present present : lanes.values()) {
      if (!present.isAnswered()) {
        return false;
      }
    }
    return true;
  }

  /** The own request was read: answers to those before it count no more. */
  void asked() {
    lanes.values().forEach(Present::forgetPages);
  }

  void askAll() {
    lanes.values().forEach(Present::ask);
  }

  /** Drops who has nobody and is not heard any more; shows who is silent and has somebody. */
  void silent(PeopleMap people, BiConsumer<Lane, Boolean> shown) {
    for (Map.Entry<Lane, Present> each : List.copyOf(lanes.entrySet())) {
      Present present = each.getValue();
      long quiet = present.quiet(beat);
      if (people.has(each.getKey())) {
        if (quiet >= SILENT_BEATS) {
          shown.accept(each.getKey(), quiet == SILENT_BEATS);
        }
      } else if (present.isGivenUp(beat) || (present.isAnswered() && quiet >= SILENT_BEATS)) {
        lanes.remove(each.getKey());
      }
    }
  }

  /** Whether this server says the LEAVEs of a silent lane. */
  boolean isOursToBury(Lane silent) {
    @Nullable Present present = lanes.get(silent);
    return present != null && (present.quiet(beat) >= SECOND_BEATS || isFirstAlive());
  }

  private boolean isFirstAlive() {
    List<Lane> alive = new ArrayList<>();
    lanes.forEach((lane, present) -> {
      if (present.quiet(beat) < ALIVE_BEATS) {
        alive.add(lane);
      }
    });
    return alive.stream().allMatch(other -> BY_AGE.compare(own, other) < 0);
  }
}
