package dev.chatflow.server.simulation.plan;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events of seeds, because a run without rare events proves little. Thread-safe. */
public final class Met {

  /** The counted events. */
  public enum What {
    OWN_LATE,
    PAST,
    LOSS,
    INCOMPLETE,
    REST,
    REPEAT,
    VOID,
    LOST_TAIL,
    RESUMED,
    NOT_RESUMED,
    DUPLICATE,
    SIGNALLED,
    REMOVED,
    MUTED,
    DRAINED,
    DRAIN_GAVE_UP,
    POSTED,
    PRESENCE,
    BURIED,
    RECORDER_KILLED,
    RECORD_GAP
  }

  private final Map<What, LongAdder> counts = new EnumMap<>(What.class);

  public Met() {
    for (What what : What.values()) {
      counts.put(what, new LongAdder());
    }
  }

  private LongAdder counter(What what) {
    return Objects.requireNonNull(counts.get(what));
  }

  public void count(What what) {
    counter(what).increment();
  }

  public long times(What what) {
    return counter(what).sum();
  }

  @Override
  public String toString() {
    StringBuilder all = new StringBuilder();
    for (What what : What.values()) {
      all.append(what).append(' ').append(times(what)).append("  ");
    }
    return all.toString();
  }
}
