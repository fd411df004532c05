package dev.chatflow.client.compat;

import dev.chatflow.client.series.Csv;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The skier client's {@code output.csv}: a row per request, times in milliseconds. A request is one
 * TEXT and its answer. Pure.
 */
final class SkierRequests {
  private static final int CREATED = 201;
  private static final int NO_ANSWER = 504;

  private SkierRequests() {}

  /** Made of the rows of {@link ChatFlowGoMessages}, its header first. */
  static void write(Stream<String[]> messages, Consumer<String> out) {
    out.accept("start_time,latency,request_type,response_code\n");
    messages
        .skip(1)
        .filter(message -> message[1].equals("TEXT"))
        .forEach(message -> {
          long start = Instant.parse(message[0]).toEpochMilli();
          long latency = Math.round(Double.parseDouble(message[2]));
          int code = message[3].equals("200") ? CREATED : NO_ANSWER;
          out.accept(Csv.line(List.of(start, latency, "POST", code)));
        });
  }
}
