package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ValuesTest {

  @Test
  void valuesAreParsedWithTheirUnits() {
    assertThat(Values.duration("250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(Values.duration("1.5s")).isEqualTo(Duration.ofMillis(1500));
    assertThat(Values.duration("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThat(Values.duration("1h")).isEqualTo(Duration.ofHours(1));
    assertThat(Values.amount("26.1k/s")).isEqualTo(26_100);
    assertThat(Values.amount("2m")).isEqualTo(2_000_000);
    assertThat(Values.range("50ms..2s"))
        .isEqualTo(new Values.Range(Duration.ofMillis(50), Duration.ofSeconds(2)));
  }

  @Test
  void environmentVariablesOfOptionsAreUpperCaseWithUnderscores() {
    assertThat(OptionDefaults.twinOf("room-size")).isEqualTo("CHATFLOW_CLIENT_ROOM_SIZE");
  }
}
