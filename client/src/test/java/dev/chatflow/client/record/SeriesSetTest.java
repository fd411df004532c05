package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class SeriesSetTest {
  private static final double HDR_ERROR = 0.001;
  private static final int COUNT = 200_000;

  @Test
  void percentilesEqualAnExactSortWithinTheHistogramsError() {
    long[] values = values(3);
    SeriesSet set = new SeriesSet();
    for (long value : values) {
      set.record(Series.DELIVERY, Clock.SERVICE, value);
    }
    Histogram histogram = set.of(Series.DELIVERY, Clock.SERVICE);
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    for (double percentile : new double[] {1, 10, 50, 90, 95, 99, 99.9, 99.99, 100}) {
      long exact = sorted[Math.max(0, (int) Math.ceil(percentile / 100 * COUNT) - 1)];
      assertThat((double) histogram.getValueAtPercentile(percentile))
          .as("p%s", percentile)
          .isCloseTo((double) exact, within(1 + exact * HDR_ERROR));
    }
    assertThat(histogram.getTotalCount()).isEqualTo(COUNT);
  }

  @Test
  void mergedShardsEqualTheWholeRun() {
    long[] values = values(4);
    SeriesSet whole = new SeriesSet();
    SeriesSet merged = new SeriesSet();
    SeriesSet[] shards = {new SeriesSet(), new SeriesSet(), new SeriesSet(), new SeriesSet()};
    for (int i = 0; i < values.length; i++) {
      whole.record(Series.ECHO, values[i]);
      shards[i % 4].record(Series.ECHO, values[i]);
    }
    for (SeriesSet shard : shards) {
      merged.add(shard);
    }
    for (Clock clock : Clock.values()) {
      assertThat(merged.of(Series.ECHO, clock)).isEqualTo(whole.of(Series.ECHO, clock));
    }
  }

  @Test
  void handedOverIntervalsAddUpToEverything() {
    Recorder recorder = new Recorder();
    SeriesSet total = new SeriesSet();
    for (int i = 1; i <= 1_000; i++) {
      recorder.active().record(Series.ECHO, i);
      if (i % 7 == 0) {
        recorder.handOver();
      }
      SeriesSet taken = i % 30 == 0 ? recorder.takeInterval() : null;
      if (taken != null) {
        total.add(taken);
        recorder.giveBack(taken);
      }
    }
    SeriesSet taken = recorder.takeInterval();
    if (taken != null) {
      total.add(taken);
    }
    total.add(recorder.active());
    assertThat(total.of(Series.ECHO, Clock.SERVICE).getTotalCount()).isEqualTo(1_000);
  }

  @Test
  void valuesOutsideTheRangeAreClamped() {
    SeriesSet set = new SeriesSet();
    set.record(Series.LAG, -5);
    set.record(Series.LAG, Long.MAX_VALUE);
    Histogram histogram = set.of(Series.LAG, Clock.RESPONSE);
    assertThat(histogram.getMinValue()).isZero();
    assertThat(histogram.getTotalCount()).isEqualTo(2);
  }

  private static long[] values(long seed) {
    Random random = new Random(seed);
    return random.doubles(COUNT).mapToLong(x -> (long) Math.exp(x * 17)).toArray();
  }
}
