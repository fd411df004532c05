package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpectedCountsTest {
  @ParameterizedTest
  @CsvSource({
    "500k, 502000, 25051000",
    "1m, 1002000, 100101000",
    "1.5m, 1504000, 150202000",
    "2m, 2004000, 200202000",
    "2.5m, 2505000, 312815000",
    "endurance, 4682000, 234051000",
    "endurance-2x, 9362000, 468051000"
  })
  void presetsHaveTheirPublishedCounts(String label, long sends, long deliveries) {
    Preset preset = Preset.of(label);
    ExpectedCounts counts = counts(preset.rooms(), preset.roomSize(), preset.messages());
    assertThat(counts.sends()).isEqualTo(sends);
    assertThat(counts.deliveries()).isEqualTo(deliveries);
  }

  @Test
  void countsEqualAStepByStepSimulation() {
    for (int rooms = 1; rooms <= 3; rooms++) {
      for (int size = 1; size <= 6; size++) {
        for (int messages = 0; messages <= 3; messages++) {
          long deliveries = 0;
          for (int room = 0; room < rooms; room++) {
            for (int member = 1; member <= size; member++) {
              deliveries += 2L * member + (long) messages * size;
            }
          }
          assertThat(counts(rooms, size, messages).deliveries()).isEqualTo(deliveries);
        }
      }
    }
  }

  @Test
  void unevenTotalGoesToTheFirstUsers() {
    Workload workload = new Workload(2, 3, 20, 0, Duration.ZERO, Duration.ZERO);
    int sum = 0;
    for (int user = 0; user < 6; user++) {
      sum += workload.textsOf(user);
    }
    assertThat(sum).isEqualTo(20);
    assertThat(workload.textsOf(0)).isEqualTo(4);
    assertThat(workload.textsOf(5)).isEqualTo(3);
  }

  private static ExpectedCounts counts(int rooms, int size, int messages) {
    return ExpectedCounts.of(
        new Workload(rooms, size, (long) rooms * size * messages, 0, Duration.ZERO, Duration.ZERO));
  }
}
