package dev.chatflow.client.report;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The result with the labels of the fourth seed; a request is one TEXT and its echo. Stateless. */
public final class SkierReport {
  private SkierReport() {}

  public static String of(RunResult result) {
    Tally tally = result.record().tally();
    Histogram echo = result.record().series().of(Series.ECHO, Clock.SERVICE);
    long failures = tally.textsUnsent + tally.textsWritten - tally.textsEchoed;
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
        tally.textsEchoed,
        failures,
        result.record().windowSeconds(),
        result.perSecond(tally.textsEchoed),
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
