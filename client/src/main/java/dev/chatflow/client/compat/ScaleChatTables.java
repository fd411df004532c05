package dev.chatflow.client.compat;

import dev.chatflow.client.record.Csv;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Creates the two tables of scale-chat's processor from the events in {@link ScaleChatDeliveries}.
 * Pure; keeps a time for each message.
 */
final class ScaleChatTables {
  private static final int ID = 0;
  private static final int SENDER = 1;
  private static final int CLIENT = 2;
  private static final int WHAT = 3;
  private static final int MICROS = 4;

  private ScaleChatTables() {}

  /** Writes a row per copy, with times in microseconds. */
  static void latency(Stream<String[]> events, Consumer<String> out) {
    out.accept("id,sender,receiver,sent_at,received_at,latency\n");
    Map<String, Long> sent = new HashMap<>();
    events.forEach(event -> {
      long at = Long.parseLong(event[MICROS]);
      if (event[WHAT].equals("Sent")) {
        sent.put(event[ID], at);
      } else {
        long from = sent.getOrDefault(event[ID], at);
        out.accept(Csv.line(List.of(event[ID], event[SENDER], event[CLIENT], from, at, at - from)));
      }
    });
  }

  /** Writes a row per second of sending; sent counts the required copies. */
  static void sentVersusReceived(Stream<String[]> events, int roomSize, Consumer<String> out) {
    Map<String, Long> secondOf = new HashMap<>();
    Map<Long, long[]> seconds = new TreeMap<>();
    events.forEach(event -> {
      long second = Long.parseLong(event[MICROS]) / 1_000_000;
      if (event[WHAT].equals("Sent")) {
        secondOf.put(event[ID], second);
        seconds.computeIfAbsent(second, _ -> new long[2])[1] += roomSize;
      } else {
        long sentIn = secondOf.getOrDefault(event[ID], second);
        seconds.computeIfAbsent(sentIn, _ -> new long[2])[0]++;
      }
    });
    out.accept("sent_at,received,sent\n");
    seconds.forEach((second, of) -> out.accept(Csv.line(List.of(second, of[0], of[1]))));
  }
}
