package dev.chatflow.client.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Two runs side by side, from their {@code summary.json}, which every version of the client can
 * read of every other. Immutable.
 *
 * @param configuration what differs between the plans, one line each
 */
public record Comparison(List<Delta> deltas, List<String> configuration) {
  /**
   * Rates and the copies of a message; of what else is compared, times and costs, less is better.
   */
  private static final Set<Unit> MORE_IS_BETTER = Set.of(Unit.PER_SECOND, Unit.RATIO);

  /** What follows from the rest of the plan, or differs by chance. */
  private static final Set<String> DERIVED =
      Set.of("seed", "runId", "expectedSends", "expectedDeliveries");

  /**
   * One figure of both runs, in the unit of JSON; {@code NaN} where a run has none.
   *
   * @param worse how much worse the second run is, as a part of the first; negative when it is
   *     better, {@code NaN} when one of the two has no such figure
   */
  public record Delta(Figure figure, double first, double second, double worse) {
    /** The change in percent with its sign, {@code -} where there is nothing to compare. */
    public String change() {
      double change = relative(first, second);
      return Double.isNaN(change) ? "-" : String.format(Locale.ROOT, "%+.1f%%", change * 100);
    }

    public String line() {
      return String.format(
          Locale.ROOT,
          "%-36s %14s %14s  %8s",
          figure.label(),
          figure.unit().text(first),
          figure.unit().text(second),
          change());
    }
  }

  public Comparison {
    deltas = List.copyOf(deltas);
    configuration = List.copyOf(configuration);
  }

  public static Comparison of(JsonObject first, JsonObject second) {
    List<Delta> deltas = new ArrayList<>();
    for (Figure figure : Figures.in(Figure.Place.COMPARE)) {
      double one = number(first, figure.name());
      double two = number(second, figure.name());
      double change = relative(one, two);
      double worse = MORE_IS_BETTER.contains(figure.unit()) ? -change : change;
      deltas.add(new Delta(figure, one, two, worse));
    }
    return new Comparison(deltas, differences(first, second));
  }

  /** The largest worsening of what both runs have; 0 when nothing is worse. */
  public double worst() {
    return deltas.stream().mapToDouble(Delta::worse).filter(worse -> worse > 0).max().orElse(0);
  }

  /** The change as a part of the first; 0 when the first is 0, {@code NaN} when one is absent. */
  private static double relative(double first, double second) {
    boolean absent = Double.isNaN(first) || Double.isNaN(second);
    return first == 0 && !absent ? 0 : (second - first) / first;
  }

  private static List<String> differences(JsonObject first, JsonObject second) {
    List<String> lines = new ArrayList<>();
    JsonObject one = first.getAsJsonObject("plan");
    JsonObject two = second.getAsJsonObject("plan");
    for (String name : one.keySet()) {
      if (!DERIVED.contains(name) && two.has(name) && !one.get(name).equals(two.get(name))) {
        String words = name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        lines.add(words + ": " + value(name, one) + " -> " + value(name, two));
      }
    }
    return lines;
  }

  /** The texts of a run that its time ends are no number of texts. */
  private static String value(String name, JsonObject plan) {
    boolean open = name.equals("texts") && plan.get("durationSeconds").getAsDouble() > 0;
    JsonElement value = plan.get(name);
    return open && value.getAsLong() > 0
        ? "as many as the time allows"
        : value.isJsonPrimitive() ? value.getAsString() : String.valueOf(value);
  }

  private static double number(JsonObject json, String path) {
    JsonElement at = json;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof JsonObject object ? object.get(name) : null;
    }
    return at == null || !at.isJsonPrimitive() ? Double.NaN : at.getAsDouble();
  }
}
