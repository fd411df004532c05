package dev.chatflow.consumer;

import static dev.chatflow.consumer.DuplicateFilter.Verdict.DUPLICATE;
import static dev.chatflow.consumer.DuplicateFilter.Verdict.LOSS;
import static dev.chatflow.consumer.DuplicateFilter.Verdict.NEW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import dev.chatflow.consumer.DuplicateFilter.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DuplicateFilterTest {

  private static final Lane LANE = new Lane("server-1", 2_000, 0);
  private static final long AN_HOUR = Duration.ofHours(1).toMillis();

  private final DuplicateFilter filter = new DuplicateFilter();
  private long now;

  @Test
  void numbersInARowAreNew() {
    assertThat(entry(LANE, 1)).isEqualTo(NEW);
    assertThat(entry(LANE, 2)).isEqualTo(NEW);
  }

  @Test
  void aNumberNotAboveTheHighestIsADuplicate() {
    entry(LANE, 5);
    assertThat(entry(LANE, 5)).isEqualTo(DUPLICATE);
    assertThat(entry(LANE, 4)).isEqualTo(DUPLICATE);
  }

  @Test
  void aLaneNeverSeenBeginsWhereItIs() {
    assertThat(entry(LANE, 17)).isEqualTo(NEW);
    assertThat(entry(LANE, 18)).isEqualTo(NEW);
  }

  @Test
  void aHoleIsALossOnce() {
    entry(LANE, 1);
    assertThat(entry(LANE, 3)).isEqualTo(LOSS);
    assertThat(entry(LANE, 4)).isEqualTo(NEW);
  }

  @Test
  void anotherQueueHasOneHoleOfEachLaneForgiven() {
    entry(LANE, 1);
    filter.boundAnew();
    assertThat(entry(LANE, 5)).isEqualTo(NEW);
    assertThat(entry(LANE, 7)).isEqualTo(LOSS);
  }

  @Test
  void shardsAreIndependent() {
    Lane second = new Lane("server-1", 2_000, 1);
    entry(LANE, 1);
    assertThat(entry(second, 1)).isEqualTo(NEW);
    assertThat(entry(second, 2)).isEqualTo(NEW);
    assertThat(entry(LANE, 3)).isEqualTo(LOSS);
  }

  @Test
  void bothBootsOfARestartedServerAreKnown() {
    Lane next = new Lane("server-1", 3_000, 0);
    entry(LANE, 5);
    entry(next, 1);
    assertThat(entry(LANE, 5)).isEqualTo(DUPLICATE);
    assertThat(entry(next, 1)).isEqualTo(DUPLICATE);
  }

  @Test
  void theThirdBootDropsTheOneSeenLongestAgo() {
    entry(LANE, 5);
    entry(new Lane("server-1", 2_000, 1), 5);
    entry(new Lane("server-1", 3_000, 0), 5);
    entry(new Lane("server-1", 4_000, 0), 5);
    assertThat(filter.lanes()).isEqualTo(2);
    assertThat(entry(new Lane("server-1", 3_000, 0), 5)).isEqualTo(DUPLICATE);
  }

  @Test
  void aLaneUnseenForAnHourIsForgotten() {
    Lane other = new Lane("server-2", 1, 0);
    entry(LANE, 5);
    now += AN_HOUR / 2;
    entry(other, 1);
    now += AN_HOUR / 2;
    entry(other, 2);
    assertThat(filter.lanes()).isEqualTo(2);
    now += 1;
    entry(other, 3);
    assertThat(filter.lanes()).isEqualTo(1);
  }

  @Test
  void lanesAreBoundedInNumber() {
    for (int server = 0; server <= DuplicateFilter.MAX_LANES; server++) {
      entry(new Lane("s" + server, 1, 0), 1);
    }
    assertThat(filter.lanes()).isEqualTo(DuplicateFilter.MAX_LANES);
  }

  private Verdict entry(Lane lane, long number) {
    return filter.judge(new Arrival(lane, number), now);
  }
}
