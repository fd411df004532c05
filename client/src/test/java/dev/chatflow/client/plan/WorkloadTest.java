package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class WorkloadTest {
  @Test
  void hotRoomsHaveTheirSharesAndNoTextIsLost() {
    Workload workload =
        workload(4, 3, 1_000, new Roles(Roles.EVERYBODY, Mix.TEXTS_ONLY, 1, 0, List.of()));
    long[] ofRoom =
        IntStream.range(0, 4)
            .mapToLong(room ->
                IntStream.range(0, 3).mapToLong(user -> workload.textsOf(room * 3 + user)).sum())
            .toArray();
    assertThat(ofRoom).containsExactly(480, 240, 160, 120);
    assertThat(LongStream.of(ofRoom).sum()).isEqualTo(1_000);
    assertThat(workload.shareOf(0) * 3).isCloseTo(0.48, within(1e-9));
  }

  @Test
  void hotUsersHaveTheirSharesOfTheirRoom() {
    Workload workload =
        workload(2, 4, 2_500, new Roles(Roles.EVERYBODY, Mix.TEXTS_ONLY, 0, 1, List.of()));
    assertThat(IntStream.range(0, 8).map(workload::textsOf))
        .containsExactly(600, 300, 200, 150, 600, 300, 200, 150);
    assertThat(workload.shareOf(5)).isCloseTo(0.12, within(1e-9));
    assertThat(IntStream.range(0, 8).mapToDouble(workload::shareOf).sum())
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void wavesTakeUsersInTurnOverTheRooms() {
    Roles roles =
        new Roles(0, Mix.TEXTS_ONLY, 0, 0, List.of(new Wave("ONE", 2, 7), new Wave("TWO", 3, 5)));
    Workload workload = workload(2, 3, 29, roles);
    assertThat(IntStream.range(0, 6).map(workload::waveOf)).containsExactly(0, 1, 1, 0, 1, -1);
    assertThat(IntStream.range(0, 6).map(workload::textsOf)).containsExactly(7, 5, 5, 7, 5, 0);
  }

  @Test
  void warmUpIsSpreadEvenlyOverTheRooms() {
    Workload workload =
        new Workload(2, 3, 6, 0, new Warmup(Duration.ZERO, 3, 4), Duration.ZERO, Roles.EQUAL);
    assertThat(IntStream.range(0, 6).map(workload::warmupTextsOf))
        .containsExactly(4, 4, 0, 4, 0, 0);
  }

  @Test
  void onlyATimedRunWithTextsIsOpenEnded() {
    assertThat(new Workload(1, 1, 5, 0, Duration.ZERO, Duration.ZERO).isOpenEnded()).isFalse();
    assertThat(lasting(5).isOpenEnded()).isTrue();
    assertThat(lasting(0).isOpenEnded()).as("connects only").isFalse();
  }

  private static Workload lasting(long texts) {
    return new Workload(1, 1, texts, 0, Duration.ZERO, Duration.ofSeconds(9));
  }

  @Test
  void warmUpMustLeaveSomethingToRecord() {
    assertThatThrownBy(() -> new Workload(1, 1, 5, 0, Duration.ofSeconds(9), Duration.ofSeconds(9)))
        .hasMessageContaining("--warmup must be shorter than --duration");
    assertThatThrownBy(() ->
            new Workload(1, 2, 5, 0, new Warmup(Duration.ZERO, 3, 1), Duration.ZERO, Roles.EQUAL))
        .hasMessage("--warmup must have at most 2 users, found 3");
    assertThatThrownBy(() -> new Workload(1, 1, 5, 0, Duration.ZERO, Duration.ofSeconds(-1)))
        .hasMessageContaining("--duration must not be negative");
  }

  @Test
  void numberOfUsersIsLimitedByTheHeadOfAMessage() {
    assertThatThrownBy(() -> new Workload(100_000, 100, 1, 0, Duration.ZERO, Duration.ZERO))
        .hasMessageContaining("rooms x room-size");
  }

  private static Workload workload(int rooms, int size, long texts, Roles roles) {
    return new Workload(rooms, size, texts, 0, Warmup.NONE, Duration.ZERO, roles);
  }
}
