package dev.chatflow.client.report;

import java.util.ArrayDeque;
import java.util.Iterator;

/** The last values of a figure as a row of blocks, scaled by the highest. Belongs to one thread. */
final class Curve {
  private static final int MOST = 60;
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";

  private final ArrayDeque<Double> values = new ArrayDeque<>();

  void add(double value) {
    if (values.size() == MOST) {
      values.removeFirst();
    }
    values.addLast(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The last values, one column each; a blank for what was not seen. */
  String last(int columns) {
    double highest = values.stream().filter(each -> !each.isNaN()).max(Double::compare).orElse(0.0);
    StringBuilder row = new StringBuilder();
    Iterator<Double> each = values.descendingIterator();
    while (each.hasNext() && row.length() < columns) {
      row.append(block(each.next(), highest));
    }
    return row.reverse().toString();
  }

  private static char block(double value, double highest) {
    if (Double.isNaN(value)) {
      return ' ';
    }
    int height = highest <= 0 ? 0 : (int) Math.round(value / highest * (BLOCKS.length() - 1));
    return BLOCKS.charAt(height);
  }
}
