package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SamplesTest {
  @Test
  void gapsAreCountedButDoNotAffectStatistics() {
    Samples samples = new Samples("ready");
    samples.add(1, 10);
    samples.gap(2);
    samples.add(3, 30);
    assertThat(samples.gaps()).isEqualTo(1);
    assertThat(samples.statistic("ready", "mean")).hasValue(20);
    assertThat(samples.statistic("ready", "peak")).hasValue(30);
    assertThat(samples.statistic("ready", "rate")).hasValue(10);
    assertThat(samples.statistic("other", "max")).isEmpty();
    assertThat(samples.column("ready")).containsExactly(10, Double.NaN, 30);
  }

  @Test
  void statisticsUseTheWindowUnlessItIsEmpty() {
    Samples samples = new Samples("ready");
    samples.add(1, 1_000);
    samples.add(2, 10);
    assertThat(samples.statistic("ready", "max", 1.5, 3)).hasValue(10);
    assertThat(samples.statistic("ready", "max", 5, 6)).hasValue(1_000);
  }

  @Test
  void writtenSamplesCanBeRead() {
    Samples samples = new Samples();
    samples.add(0.25, Map.of("a", 1.23456789));
    samples.gap(0.5);
    samples.add(0.75, Map.of("a", 2.0, "b", 3e9));
    assertThat(samples.csv())
        .isEqualTo("seconds,a,b\n0.250,1.23456789,\n0.500,,\n0.750,2,3000000000\n");
    Samples read = new Samples();
    read.read(samples.csv());
    assertThat(read.csv()).isEqualTo(samples.csv());
    assertThat(read.gaps()).isEqualTo(1);
  }

  @Test
  void numberOfColumnsIsLimited() {
    Samples samples = new Samples();
    for (int i = 0; i < 2 * Samples.MAX_COLUMNS; i++) {
      samples.add(i, Map.of("name" + i, 1.0));
    }
    assertThat(samples.columns()).hasSize(Samples.MAX_COLUMNS);
  }
}
