package dev.chatflow.client.record;

import static dev.chatflow.client.record.Csv.column;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsvTest {
  private record Point(String name, double x, long y) {}

  @Test
  void rowsFollowTheColumnNames() {
    assertThat(
            Csv.of(
                List.of(new Point("a", 0.25, 3), new Point("b", 1e6, -1)),
                column("name", Point::name),
                column("x", Point::x),
                column("y", Point::y)))
        .isEqualTo("name,x,y\na,0.25,3\nb,1000000,-1\n");
  }

  @Test
  void withoutRowsOnlyTheHeaderIsWritten() {
    assertThat(Csv.of(List.<Point>of(), column("name", Point::name))).isEqualTo("name\n");
  }

  @Test
  void cellsWithCommasQuotesAndBreaksAreQuoted() {
    assertThat(Csv.line(List.of("plain", "a,b", "say \"hi\"", "two\nlines", Instant.EPOCH)))
        .isEqualTo("plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",1970-01-01T00:00:00Z\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "12, 12",
    "0.5, 0.5",
    "0.12345, 0.123",
    "1234567.25, 1234567.25",
    "3e9, 3000000000",
    "NaN, ''",
  })
  void numbersHaveAtMostThreeDigitsAfterThePoint(double number, String text) {
    assertThat(Csv.line(List.of(number))).isEqualTo(text + "\n");
  }

  @Test
  void trailingEmptyCellsAreRead() {
    assertThat(Csv.cells("1,,3,")).containsExactly("1", "", "3", "");
  }
}
