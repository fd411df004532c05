package dev.chatflow.client.compat;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The result with the labels of the skier client; a request is one TEXT and its echo. Stateless.
 */
public final class SkierReport {
  private SkierReport() {}

  public static String of(RunResult result) {
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
}
