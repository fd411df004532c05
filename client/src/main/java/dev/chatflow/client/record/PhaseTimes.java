package dev.chatflow.client.record;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The start of each phase, and the CPU time until then.
 *
 * <p>Guarded by its monitor.
 */
public final class PhaseTimes {

  /**
   * The start of a phase.
   *
   * @param nanos since the run's origin
   * @param cpuNanos CPU time of the process so far
   */
  public record Mark(long nanos, long cpuNanos, MachineCpu machine) {}

  // Guarded by this
  private final Map<Phase, Mark> marks = new EnumMap<>(Phase.class);

  public synchronized void begin(Phase phase, Mark mark) {
    marks.put(phase, mark);
  }

  /** Returns the start of a phase; null if it did not start. */
  public synchronized @Nullable Mark of(Phase phase) {
    return marks.get(phase);
  }

  /** Returns the nanoseconds between the starts of two phases; 0 if either did not start. */
  public synchronized long nanosBetween(Phase from, Phase to) {
    Mark first = marks.get(from);
    Mark last = marks.get(to);
    return first == null || last == null ? 0 : last.nanos - first.nanos;
  }

  public synchronized long cpuNanosBetween(Phase from, Phase to) {
    Mark first = marks.get(from);
    Mark last = marks.get(to);
    return first == null || last == null ? 0 : last.cpuNanos - first.cpuNanos;
  }

  public synchronized MachineCpu machineBetween(Phase from, Phase to) {
    Mark first = marks.get(from);
    Mark last = marks.get(to);
    return first == null || last == null ? MachineCpu.UNKNOWN : last.machine.minus(first.machine);
  }
}
