package dev.chatflow.client.compat;

import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Prints the result with the labels of chatflow-go's client, so that its scripts can read it.
 *
 * <p>Only in this format, latencies are statistics over per-connection means and throughput counts
 * sends, as in that client. The last lines state that. Stateless.
 */
public final class ChatFlowGoReport {
  private final RunResult result;
  private final StringBuilder out = new StringBuilder(4096);

  private ChatFlowGoReport(RunResult result) {
    this.result = result;
  }

  public static String of(RunResult result) {
    return new ChatFlowGoReport(result).render();
  }

  private String render() {
    Tally tally = result.record().tally();
    List<ConnectionFigures> connections = result.record().connections();
    double[] means = means(connections.stream());
    double[] rates =
        sorted(connections.stream().mapToDouble(ConnectionFigures::receivedPerSecond).toArray());
    double window = result.record().windowSeconds();
    out.append("=== Performance Metrics ===\n");
    value("Total runtime (wall time):", "%.1fs", window);
    value("Successful messages sent:", "%d", tally.written() - tally.of(Count.REJECTED));
    value("Failed messages:", "%d", tally.of(Count.TEXTS_UNSENT) + tally.of(Count.REJECTED));
    value("Overall throughput:", "%.1f msg/s", window == 0 ? 0 : tally.written() / window);
    value("Total connections:", "%d", tally.of(Count.CONNECTIONS_OPENED));
    value("Reconnections:", "%d", tally.of(Count.RECONNECTIONS));
    value("Failed connections:", "%d", tally.of(Count.CONNECTIONS_FAILED));
    for (int i = 0; i < LATENCIES.length; i++) {
      value(LATENCIES[i] + ":", "%.0fms", latency(i, means));
    }
    value("Median Throughput:", "%.2f msg/s", at(rates, 50));
    for (int i = 0; i < LATENCIES.length; i++) {
      line("%s across all rooms: %.0fms", LATENCIES[i], latency(i, means));
    }
    line("Median Throughput across all rooms: %.2f msg/s", at(rates, 50));
    line("Throughput across rooms: ");
    result.record().rooms().forEach(room -> room(room, connections));
    line(
        "  Message Types: TEXT: %d  JOIN: %d  LEAVE: %d",
        tally.of(Count.TEXTS_WRITTEN),
        tally.of(Count.JOINS_WRITTEN),
        tally.of(Count.LEAVES_WRITTEN));
    line("# latency values are statistics over per-connection means, as in chatflow-go");
    line(
        "# delivered %d, %.0f deliveries/s, fan-out %.1f; %s",
        tally.deliveries(),
        result.deliveriesPerSecond(),
        result.textFanOut(),
        result.verdict().headline());
    return out.toString();
  }

  private static final String[] LATENCIES = {
    "Mean Latency",
    "Median Latency",
    "95th Percentile Latency",
    "99th Percentile Latency",
    "Min Latency",
    "Max Latency"
  };

  private static double latency(int which, double[] sorted) {
    return switch (which) {
      case 0 -> Arrays.stream(sorted).average().orElse(0);
      case 1 -> at(sorted, 50);
      case 2 -> at(sorted, 95);
      case 3 -> at(sorted, 99);
      case 4 -> at(sorted, 0);
      default -> at(sorted, 100);
    };
  }

  private void room(RoomFigures room, List<ConnectionFigures> connections) {
    double[] means =
        means(connections.stream().filter(connection -> connection.room() == room.room()));
    line(
        "Room %d | users: %d | throughput: %.1f msg/s | mean latency: %.0fms | median latency:"
            + " %.0fms",
        room.room(), room.users(), room.throughput(), latency(0, means), latency(1, means));
  }

  /** Returns a percentile of sorted values, by the nearest rank. */
  public static double at(double[] sorted, double percentile) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percentile / 100 * sorted.length);
    return sorted[Math.clamp(rank - 1L, 0, sorted.length - 1)];
  }

  /** Returns the mean latencies of connections, sorted, in milliseconds. */
  public static double[] means(Stream<ConnectionFigures> connections) {
    return sorted(connections.mapToDouble(ConnectionFigures::meanMillis).toArray());
  }

  private static double[] sorted(double[] values) {
    Arrays.sort(values);
    return values;
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private void value(String label, String format, Object value) {
    out.append(String.format(Locale.ROOT, "%-28s" + format + "%n", label, value));
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
