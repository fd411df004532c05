package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts defects and keeps the first examples of each.
 *
 * <p>Belongs to one load thread until the end of the run; then the findings of all threads are
 * added up.
 */
public final class Findings {
  /**
   * An observed defect. Unknown numbers are negative.
   *
   * @param sender global number of the sending user
   * @param receiver global number of the receiving user
   * @param writtenNanos since the run's origin
   * @param echoNanos since the run's origin
   */
  public record Example(
      Defect defect,
      int room,
      int sender,
      int seq,
      int receiver,
      long writtenNanos,
      long echoNanos) {}

  static final int MAX_EXAMPLES = 20;

  private final Map<Defect, Long> counts = new EnumMap<>(Defect.class);
  private final List<Example> examples = new ArrayList<>();

  public void add(Example example) {
    if (counts.merge(example.defect(), 1L, Long::sum) <= MAX_EXAMPLES) {
      examples.add(example);
    }
  }

  public void add(Findings other) {
    other.counts.forEach((defect, count) -> counts.merge(defect, count, Long::sum));
    for (Defect defect : Defect.values()) {
      long room = (long) MAX_EXAMPLES - examples(defect).size();
      other.examples(defect).stream().limit(room).forEach(examples::add);
    }
  }

  public long count(Defect defect) {
    return counts.getOrDefault(defect, 0L);
  }

  /** Returns whether there are only allowed defects. */
  public boolean isClean(Set<Defect> allowed) {
    return allowed.containsAll(counts.keySet());
  }

  public List<Example> examples(Defect defect) {
    return examples.stream().filter(example -> example.defect() == defect).toList();
  }
}
