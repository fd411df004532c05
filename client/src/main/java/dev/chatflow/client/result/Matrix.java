package dev.chatflow.client.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cells of a sweep and the median of their repeats. Stateless. */
public final class Matrix {
  private Matrix() {}

  /** Returns every combination of the values of the axes, the last one varying fastest. */
  public static List<Map<String, String>> cells(Map<String, List<String>> axes) {
    List<Map<String, String>> cells = new ArrayList<>();
    cells.add(Map.of());
    for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
      List<Map<String, String>> wider = new ArrayList<>();
      for (Map<String, String> cell : cells) {
        for (String value : axis.getValue()) {
          Map<String, String> extended = new LinkedHashMap<>(cell);
          extended.put(axis.getKey(), value);
          wider.add(extended);
        }
      }
      cells = wider;
    }
    return cells;
  }

  /** Returns the middle value, or the mean of the two middle ones. */
  public static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
