package dev.chatflow.client.analyse;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two runs side by side, from their {@code summary.json}. Immutable.
 *
 * @param configuration what differs between the plans, one line each
 */
public record Comparison(List<Delta> deltas, List<String> configuration) {

  /**
   * One figure of both runs.
   *
   * @param worse how much worse the second run is, as a part of the first; negative when it is
   *     better
   */
  public record Delta(String name, double first, double second, double worse) {
    public String line() {
      return String.format(
          Locale.ROOT,
          "%-28s %,15.2f %,15.2f  %+7.1f%%",
          name,
          first,
          second,
          first == 0 ? 0 : (second - first) * 100 / first);
    }
  }

  private record Figure(String path, boolean higherIsBetter) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("rates.windowSeconds", false),
          new Figure("rates.acceptedPerSecond", true),
          new Figure("rates.deliveriesPerSecond", true),
          new Figure("rates.fanOut", true),
          new Figure("latencyMicros.echo.service.p50", false),
          new Figure("latencyMicros.echo.service.p99", false),
          new Figure("latencyMicros.delivery.service.p50", false),
          new Figure("latencyMicros.delivery.service.p99", false),
          new Figure("latencyMicros.delivery.service.max", false),
          new Figure("client.cpuMicrosPerDelivery", false));

  public Comparison {
    deltas = List.copyOf(deltas);
    configuration = List.copyOf(configuration);
  }

  public static Comparison of(JsonObject first, JsonObject second) {
    List<Delta> deltas = new ArrayList<>();
    for (Figure figure : FIGURES) {
      double one = number(first, figure.path);
      double two = number(second, figure.path);
      double change = one == 0 ? 0 : (two - one) / one;
      deltas.add(new Delta(figure.path, one, two, figure.higherIsBetter ? -change : change));
    }
    return new Comparison(deltas, differences(first, second));
  }

  /** The largest worsening; 0 when nothing is worse. */
  public double worst() {
    return deltas.stream().mapToDouble(Delta::worse).max().orElse(0);
  }

  private static List<String> differences(JsonObject first, JsonObject second) {
    List<String> lines = new ArrayList<>();
    JsonObject one = first.getAsJsonObject("plan");
    JsonObject two = second.getAsJsonObject("plan");
    for (String name : one.keySet()) {
      boolean random = name.equals("seed") || name.equals("runId");
      if (!random && !one.get(name).equals(two.get(name))) {
        lines.add(name + ": " + one.get(name) + " -> " + two.get(name));
      }
    }
    return lines;
  }

  private static double number(JsonObject json, String path) {
    JsonElement at = json;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof JsonObject object ? object.get(name) : null;
    }
    return at == null || !at.isJsonPrimitive() ? 0 : at.getAsDouble();
  }
}
