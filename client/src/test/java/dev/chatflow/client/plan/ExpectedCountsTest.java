package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.compat.Skier;
import java.time.Duration;
import java.util.List;
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
    Preset preset =
        Preset.SIZES.stream().filter(one -> one.label().equals(label)).findFirst().orElseThrow();
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
  void remainderOfTheTotalGoesToTheFirstUsers() {
    Workload workload = new Workload(2, 3, 20, 0, Duration.ZERO, Duration.ZERO);
    int sum = 0;
    for (int user = 0; user < 6; user++) {
      sum += workload.textsOf(user);
    }
    assertThat(sum).isEqualTo(20);
    assertThat(workload.textsOf(0)).isEqualTo(4);
    assertThat(workload.textsOf(5)).isEqualTo(3);
  }

  @Test
  void everyTextOfASkewedRunIsAssignedToAUser() {
    Roles hot = new Roles(Roles.EVERYBODY, Mix.TEXTS_ONLY, 1.1, 0, List.of());
    Workload workload =
        new Workload(7, 3, 1_000, 0, new Warmup(Duration.ZERO, 5, 10), Duration.ZERO, hot);
    int sum = 0;
    int warm = 0;
    for (int user = 0; user < workload.users(); user++) {
      sum += workload.textsOf(user);
      warm += workload.warmupTextsOf(user);
    }
    assertThat(sum).isEqualTo(1_000);
    assertThat(warm).isEqualTo(50);
    assertThat(workload.textsOf(0)).isGreaterThan(2 * workload.textsOf(20));
  }

  @Test
  void mixLeavesAndRejoinsAtItsShare() {
    Mix mix = new Mix(90, 5, 5);
    assertThat(mix.textsOf(500_000)).isEqualTo(450_000);
    for (int user = 0; user < 20; user++) {
      int rejoins = 0;
      for (int text = 1; text <= 900; text++) {
        rejoins += mix.rejoinsAfter(user, text) ? 1 : 0;
      }
      assertThat(rejoins).isEqualTo(50);
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 159814", "128, 159820", "256, 159769", "512, 159795"})
  void skierPhasesMakeThePublishedRequests(int users, long requests) {
    long sum = 0;
    for (Wave wave : Skier.waves(users, Skier.SKIERS, Skier.RUNS)) {
      sum += (long) wave.users() * wave.textsEach();
    }
    assertThat(sum).isEqualTo(requests);
  }

  private static ExpectedCounts counts(int rooms, int size, int messages) {
    return ExpectedCounts.of(
        new Workload(rooms, size, (long) rooms * size * messages, 0, Duration.ZERO, Duration.ZERO));
  }
}
