package dev.chatflow.client.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The comparison of two runs by their {@code summary.json}, which all versions of the client can
 * read. Immutable.
 *
 * @param configuration differences of the plans, one line each
 */
public record Comparison(List<Delta> deltas, List<String> configuration) {
  /** Units in which more is better: rates and fan-out. Of times and costs, less is better. */
  private static final Set<Unit> MORE_IS_BETTER = Set.of(Unit.PER_SECOND, Unit.RATIO);

  /** Settings that follow from others or are random. */
  private static final Set<String> DERIVED =
      Set.of("seed", "runId", "expectedSends", "expectedDeliveries");

  /**
   * One figure of both runs, in the unit of JSON; {@code NaN} if a run does not have it.
   *
   * @param worse relative worsening of the second run; negative if it is better, {@code NaN} if a
   *     run does not have the figure
   */
  public record Delta(Figure figure, double first, double second, double worse) {
    /** Returns the change in percent with its sign; {@code -} without a comparison. */
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
    for (Figure figure : Figures.in(Figure.Display.COMPARE)) {
      double one = number(first, figure.name());
      double two = number(second, figure.name());
      double change = relative(one, two);
      double worse = MORE_IS_BETTER.contains(figure.unit()) ? -change : change;
      deltas.add(new Delta(figure, one, two, worse));
    }
    return new Comparison(deltas, differences(first, second));
  }

  /** Returns the largest worsening; 0 if nothing is worse. */
  public double worst() {
    return deltas.stream().mapToDouble(Delta::worse).filter(worse -> worse > 0).max().orElse(0);
  }

  /** Returns the relative change; 0 if the first value is 0, {@code NaN} if one is absent. */
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

  /** Returns a setting as text; time-limited runs have no number of texts. */
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
