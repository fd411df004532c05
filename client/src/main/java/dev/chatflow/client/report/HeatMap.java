package dev.chatflow.client.report;

import java.util.Arrays;

/**
 * Draws the frequency of values over time: values upwards on a logarithmic axis, darker for more.
 * Stateless.
 */
final class HeatMap {
  private HeatMap() {}

  /**
   * Draws counts per column of time and row of values.
   *
   * @param counts by column, then by row from the lowest
   * @param seconds end of the last column
   * @param rowLabels labels at the lower edge of each row; empty for none
   */
  static Chart draw(
      String name, String title, String unit, long[][] counts, double seconds, String[] rowLabels) {
    Frame frame = new Frame(Frame.WIDE, title, unit, "chart time", Frame.Legend.NONE, 1);
    double height = Frame.PLOT_HEIGHT / Math.max(1, rowLabels.length);
    for (int row = 0; row < rowLabels.length; row++) {
      if (!rowLabels[row].isEmpty()) {
        frame.level(frame.bottom() - row * height, rowLabels[row]);
      }
    }
    double width = frame.plotWidth() / Math.max(1, counts.length);
    for (int column = 0; column < counts.length; column++) {
      cells(frame, counts[column], Frame.LEFT + column * width, width, height);
    }
    frame.time(TimeAxis.to(seconds));
    boolean empty = Arrays.stream(counts).flatMapToLong(Arrays::stream).allMatch(n -> n == 0);
    return new Chart(name, title, frame.svg().end(), empty);
  }

  /** Shades by the share of the column, on a root scale, so that rare values stay visible. */
  private static void cells(Frame frame, long[] counts, double x, double width, double height) {
    long most = Arrays.stream(counts).max().orElse(0);
    for (int row = 0; row < counts.length; row++) {
      if (counts[row] > 0) {
        double share = Math.max(0.08, Math.sqrt((double) counts[row] / most));
        frame.svg().cell(x, frame.bottom() - (row + 1) * height, width + 0.3, height, share);
      }
    }
  }
}
