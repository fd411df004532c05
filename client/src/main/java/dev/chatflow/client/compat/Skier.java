package dev.chatflow.client.compat;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.RunResult;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The formats of the skier client: its workload, three phases of concurrent users that send one
 * HTTP request at a time; its output lines; its summary and its table of requests. A request is one
 * TEXT with its answer. Stateless.
 */
public final class Skier {
  public static final int SKIERS = 20_000;
  public static final int RUNS = 10;

  /** The default number of concurrent users in the second phase. */
  public static final int USERS = 128;

  public static final Preset PRESET =
      new Preset("skier-3phase", 20, 0, 0, 0, Warmup.NONE, Mix.TEXTS_ONLY, true, true);
  private static final int CREATED = 201;
  private static final int NO_ANSWER = 504;

  private Skier() {}

  /**
   * Returns the phases for these concurrent users, with that client's integer divisions: of ten
   * runs over all ids, the phases have two, six and one.
   */
  public static List<Wave> waves(int users, int skiers, int runs) {
    CommandFailure.requireRange("--threads", users, 10, 1024);
    CommandFailure.requireRange("--numSkiers", skiers, 1, 100_000);
    CommandFailure.requireRange("--numRuns", runs, 1, 20);
    int first = users / 4;
    return Stream.of(
            new Wave("ONE", first, runs * 2 / 10 * (skiers / first)),
            new Wave("TWO", users, runs * 6 / 10 * (skiers / users)),
            new Wave("THREE", users / 10, runs / 10))
        .filter(wave -> wave.textsEach() > 0)
        .toList();
  }

  /** Prints the start of each phase as that client does. */
  public static Wave.Listener lines(Consumer<String> out) {
    return new Wave.Listener() {
      @Override
      public void begun(Wave wave) {
        out.accept("------ PHASE " + wave.name() + " INITIALIZED ------");
      }

      @Override
      public void fifthFinished(Wave wave) {
        out.accept("------ PHASE " + wave.name() + ": 20% OF THREADS COMPLETE ------");
      }
    };
  }

  public static String summary(RunResult result) {
    Tally tally = result.record().tally();
    Histogram echo = result.record().series().of(Series.ECHO, Clock.SERVICE);
    long failures =
        tally.of(Count.TEXTS_UNSENT) + tally.of(Count.TEXTS_WRITTEN) - tally.of(Count.TEXTS_ECHOED);
    return String.format(
        Locale.ROOT,
        """
        ----- RUN STATISTICS -----

        Total successes: %d
        Total failures: %d
        Time elapsed (sec): %.3f
        Total throughput (reqs/sec): %.5f

        Max response time: %d
        Min response time: %d
        Mean response time: %s
        Median response time: %d
        99th percentile response time: %d
        """,
        tally.of(Count.TEXTS_ECHOED),
        failures,
        result.record().windowSeconds(),
        result.acceptedPerSecond(),
        millis(echo.getMaxValue()),
        millis(echo.getTotalCount() == 0 ? 0 : echo.getMinValue()),
        echo.getMean() / 1e3,
        millis(echo.getValueAtPercentile(50)),
        millis(echo.getValueAtPercentile(99)));
  }

  private static long millis(long micros) {
    return Math.round(micros / 1e3);
  }

  /** Writes its {@code output.csv} with the rows of {@link ChatFlowGoMessages}, header first. */
  static void requests(Stream<String[]> messages, Consumer<String> out) {
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
