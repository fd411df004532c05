package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class HalfSecondsTest {
  @Test
  void countsAreAddedToTheirHalfSecond() {
    HalfSeconds halves = new HalfSeconds();
    halves.sent(0);
    halves.sent(499_999_999);
    halves.accepted(500_000_000);
    halves.delivered(1_700_000_000);
    assertThat(halves.sent()).containsExactly(2, 0, 0, 0);
    assertThat(halves.accepted()).containsExactly(0, 1, 0, 0);
    assertThat(halves.delivered()).containsExactly(0, 0, 0, 1);
  }

  @Test
  void threadsOfDifferentLengthAreSummed() {
    HalfSeconds all = new HalfSeconds();
    HalfSeconds longer = new HalfSeconds();
    all.delivered(1);
    longer.delivered(1);
    longer.delivered(600_000_000_000L);
    all.add(longer);
    all.add(new HalfSeconds());
    assertThat(all.size()).isEqualTo(1_201);
    assertThat(all.delivered()[0]).isEqualTo(2);
    assertThat(LongStream.of(all.delivered()).sum()).isEqualTo(3);
  }
}
