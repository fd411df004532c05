package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerStatisticsTest {

  private static final ServerStatistics STATISTICS =
      new ServerStatistics(120, 20, 1_000, 3, "1.0.0");

  @Test
  void itIsWrittenAsInTheGoldenSampleAndReadFromIt() {
    String sample = Samples.text("broker-header-statistics.txt");
    assertThat(STATISTICS.toString()).isEqualTo(sample);
    assertThat(ServerStatistics.parse(sample)).isEqualTo(STATISTICS);
  }

  @Test
  void additionalFieldsOfANewerServerAreSkipped() {
    assertThat(ServerStatistics.parse(STATISTICS + "/7/more")).isEqualTo(STATISTICS);
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
  void malformedStatisticsAreNotRead(String header) {
    assertThat(ServerStatistics.parse(header)).isNull();
  }
}
