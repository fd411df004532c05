package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AxisTest {

  @Test
  void axisEndsAtARoundNumberAboveTheHighestValue() {
    assertThat(Axis.to(97)).isEqualTo(new Axis(100, 20));
    assertThat(Axis.to(100)).isEqualTo(new Axis(100, 20));
    assertThat(Axis.to(1_304_740)).isEqualTo(new Axis(1_500_000, 500_000));
    assertThat(Axis.to(0)).isEqualTo(Axis.to(1));
    assertThat(Axis.to(Double.NaN)).isEqualTo(Axis.to(1));
  }

  @Test
  void numbersAreAbbreviated() {
    assertThat(List.of(Axis.label(1_500_000), Axis.label(26_100), Axis.label(0.25), Axis.label(0)))
        .containsExactly("1.5M", "26.1k", "0.25", "0");
  }

  @Test
  void labelsOfAnAxisShareAUnit() {
    Axis axis = Axis.to(14_000);
    assertThat(IntStream.rangeClosed(0, axis.ticks()).mapToObj(axis::tick))
        .containsExactly("0", "5k", "10k", "15k");
  }

  @ParameterizedTest
  @CsvSource({
    "0.4,     0.05,  0.05 s, 0.4 s",
    "1.8,     0.2,   0.2 s,  1.8 s",
    "25,      5,     5 s,    25 s",
    "76,      10,    10 s,   70 s",
    "120,     15,    15 s,   120 s",
    "200,     30,    0:30,   3:00",
    "500,     60,    1 min,  8 min",
    "3600,    600,   10 min, 60 min",
    "9500,    1800,  0:30 h, 2:30 h",
    "30000,   3600,  1 h,    8 h",
    "1000000, 432000, 120 h, 240 h",
  })
  void timeAxisHasConventionalSteps(double seconds, double step, String first, String last) {
    TimeAxis axis = TimeAxis.to(seconds);
    assertThat(axis.step()).isEqualTo(step);
    assertThat(axis.tick(0)).isEqualTo("0");
    assertThat(axis.tick(1)).isEqualTo(first);
    assertThat(axis.tick(axis.ticks())).isEqualTo(last);
    assertThat(axis.ticks()).isLessThanOrEqualTo(10);
  }
}
