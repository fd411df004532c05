package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PulseTest {

  private static final Pulse PULSE = new Pulse(120, 20, 1_000, 3, "1.0.0");

  @Test
  void itIsWrittenAsInTheGoldenSampleAndReadFromIt() {
    String sample = Samples.text("broker-header-pulse.txt");
    assertThat(PULSE.toString()).isEqualTo(sample);
    assertThat(Pulse.parse(sample)).isEqualTo(PULSE);
  }

  @Test
  void whatANewerServerSaysBehindItIsPassedOver() {
    assertThat(Pulse.parse(PULSE + "/7/more")).isEqualTo(PULSE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "120",
        "120/20/1000/3",
        "-1/20/1000/3/1.0.0",
        "1234567890/20/1000/3/1.0.0",
        "120/20/1e3/3/1.0.0",
        "120/20/1000/3/",
        "120/20/1000/3/<b>",
        "120/20/1000/3/123456789012345678901234567890123"
      })
  void whatIsNoneIsNotRead(String header) {
    assertThat(Pulse.parse(header)).isNull();
  }
}
