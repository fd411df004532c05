package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the text form of figures, units and numbers. */
final class WordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          COUNT      | 25051000 | 25,051,000
          BYTES      | 1234567  | 1.2 MB
          PER_SECOND | 815000.4 | 815,000/s
          SECONDS    | 30.74    | 30.7 s
          LATENCY    | 32623    | 32.6 ms
          COST       | 0.5678   | 0.57 µs
          SHARE      | 0.143    | 14 %
          RATIO      | 49.95    | 50.0
          SCORE      | 0.97     | 0.970
          YES_NO     | 1        | yes
          YES_NO     | 0        | no
          LATENCY    | NaN      | -
          """)
  void unitFormatsItsValues(Unit unit, double value, String text) {
    assertThat(unit.text(value)).isEqualTo(text);
  }

  @Test
  void timesAreComparedInMicroseconds() {
    assertThat(Unit.SECONDS.compared(2)).isEqualTo(2_000_000);
    assertThat(Unit.LATENCY.compared(250)).isEqualTo(250);
    assertThat(Unit.COUNT.compared(7)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "12, 12",
    "1234567, '1,234,567'",
    "0.5, 0.5",
    "0.123456, 0.123",
    "0.0001234, 0.000123",
    "0.00001234, 1.23e-05",
    "123.456, 123.5",
    "99.9, 99.9",
    "1e16, '10,000,000,000,000,000'"
  })
  void plainNumbersHaveNoUnnecessaryDigits(double value, String text) {
    assertThat(Numbers.plain(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "9999, 9999", "10000, 10.0k", "251000, 251.0k", "1500000, 1.50M"})
  void briefNumbersAreShort(double value, String text) {
    assertThat(Numbers.brief(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 50.0%", "0.01, 1.0%", "0.000012, 0.0012%"})
  void smallSharesHaveMoreDigits(double share, String text) {
    assertThat(Numbers.percent(share)).isEqualTo(text);
  }

  @Test
  void histogramIsSummarizedByMinimumMeanDeviationAndPercentiles() {
    Histogram histogram = new Histogram(3);
    for (int micros = 1_000; micros <= 10_000; micros += 1_000) {
      histogram.recordValue(micros);
    }
    assertThat(Numbers.millis(histogram, 50, 100))
        .containsExactly("1.0", "5.5", "2.9", "5.0", "10.0");
  }

  @Test
  void figureDerivesItsSectionFieldColumnAndHeader() {
    Figure rate = figure("rates.acceptedPerSecond", "accepted", Unit.PER_SECOND);
    assertThat(rate.section()).isEqualTo("rates");
    assertThat(rate.field()).isEqualTo("acceptedPerSecond");
    assertThat(rate.column()).isEqualTo("acceptedPerSecond");
    assertThat(rate.head()).isEqualTo("accepted, /s");
    Figure latency = figure("delivery.p99", "delivery p99", Unit.LATENCY);
    assertThat(latency.column()).isEqualTo("deliveryP99Ms");
    assertThat(latency.head()).isEqualTo("delivery p99, ms");
    Figure plain = figure("attemptedTexts", "TEXT attempted", Unit.COUNT);
    assertThat(plain.section()).isEmpty();
    assertThat(plain.field()).isEqualTo("attemptedTexts");
    assertThat(plain.head()).isEqualTo("TEXT attempted");
  }

  private static Figure figure(String name, String label, Unit unit) {
    return new Figure(name, "", label, unit, Set.of(), _ -> 0);
  }
}
