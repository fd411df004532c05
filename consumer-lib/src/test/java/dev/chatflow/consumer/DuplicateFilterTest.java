package dev.chatflow.consumer;

import static dev.chatflow.consumer.DuplicateFilter.Verdict.BEACON;
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

  private static final ConsumerConfig CONFIG = new ConsumerConfig("own", 1_000, 4, 1, 64);
  private static final Lane OWN = new Lane("own", 1_000, 0);
  private static final Lane FOREIGN = new Lane("other", 2_000, 0);
  private static final long AN_HOUR = Duration.ofHours(1).toMillis();

  private final long[] generations = new long[4];
  private final DuplicateFilter filter = new DuplicateFilter(CONFIG, shard -> generations[shard]);
  private long now;

  @Test
  void numbersInARowAreNew() {
    assertThat(message(FOREIGN, 1)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 2)).isEqualTo(NEW);
  }

  @Test
  void aNumberNotAboveTheHighestIsADuplicate() {
    message(FOREIGN, 5);
    assertThat(message(FOREIGN, 5)).isEqualTo(DUPLICATE);
    assertThat(message(FOREIGN, 4)).isEqualTo(DUPLICATE);
  }

  @Test
  void aLaneNeverSeenBeginsWhereItIs() {
    live(1);
    assertThat(message(FOREIGN, 17)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 18)).isEqualTo(NEW);
  }

  @Test
  void aHoleWhileLiveIsALoss() {
    live(1);
    message(FOREIGN, 1);
    assertThat(message(FOREIGN, 3)).isEqualTo(LOSS);
    assertThat(message(FOREIGN, 4)).isEqualTo(NEW);
  }

  @Test
  void aFilterThatIsAlwaysBoundNeedsNoMark() {
    DuplicateFilter bound = DuplicateFilter.alwaysBound(4);
    bound.judge(new Arrival(FOREIGN, 7, 0, false), now);
    assertThat(bound.judge(new Arrival(FOREIGN, 9, 0, false), now)).isEqualTo(LOSS);
    assertThat(bound.judge(new Arrival(FOREIGN, 9, 0, false), now)).isEqualTo(DUPLICATE);
    assertThat(bound.judge(new Arrival(FOREIGN, 10, 0, true), now)).isEqualTo(LOSS);
    assertThat(bound.judge(new Arrival(FOREIGN, 10, 0, true), now)).isEqualTo(BEACON);
  }

  @Test
  void anotherQueueHasOneHoleOfEachLaneForgiven() {
    DuplicateFilter bound = DuplicateFilter.alwaysBound(4);
    bound.judge(new Arrival(FOREIGN, 1, 0, false), now);
    bound.boundAnew();
    assertThat(bound.judge(new Arrival(FOREIGN, 5, 0, false), now)).isEqualTo(NEW);
    assertThat(bound.judge(new Arrival(FOREIGN, 7, 0, false), now)).isEqualTo(LOSS);
  }

  @Test
  void aHoleInTheOwnLaneIsALossToo() {
    live(1);
    assertThat(message(OWN, 3)).isEqualTo(LOSS);
  }

  @Test
  void aHoleWhileNotBoundIsNoLoss() {
    message(FOREIGN, 1);
    assertThat(message(FOREIGN, 3)).isEqualTo(NEW);
  }

  @Test
  void aHoleAfterTheUnbindIsNoLoss() {
    live(1);
    message(FOREIGN, 1);
    generations[0] = 0;
    assertThat(message(FOREIGN, 3)).isEqualTo(NEW);
  }

  @Test
  void aHoleBetweenTwoGenerationsIsForgivenOnce() {
    live(1);
    message(FOREIGN, 1);
    generations[0] = 2;
    mark(1, 2);
    assertThat(message(FOREIGN, 10)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 12)).isEqualTo(LOSS);
  }

  @Test
  void aHoleBeforeTheMarkOfTheNewBindingIsForgiven() {
    live(1);
    message(FOREIGN, 1);
    generations[0] = 2;
    assertThat(message(FOREIGN, 10)).isEqualTo(NEW);
    mark(1, 2);
    assertThat(message(FOREIGN, 20)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 22)).isEqualTo(LOSS);
  }

  @Test
  void aHoleAfterABindRepeatedOnTheFoundQueueIsALoss() {
    live(1);
    message(FOREIGN, 1);
    mark(1, 1);
    assertThat(message(FOREIGN, 3)).isEqualTo(LOSS);
  }

  @Test
  void anOlderMarkAndThoseOfOthersAreIgnored() {
    live(2);
    message(FOREIGN, 1);
    mark(1, 1);
    filter.judge(new Arrival(FOREIGN, 1, 9, true), now);
    assertThat(message(FOREIGN, 3)).isEqualTo(LOSS);
  }

  @Test
  void aBeaconAtTheHighestNumberShowsNothing() {
    live(1);
    message(FOREIGN, 4);
    assertThat(beacon(FOREIGN, 4)).isEqualTo(BEACON);
    assertThat(message(FOREIGN, 5)).isEqualTo(NEW);
  }

  @Test
  void aBeaconUncoversALostTail() {
    live(1);
    message(FOREIGN, 4);
    assertThat(beacon(FOREIGN, 5)).isEqualTo(LOSS);
    assertThat(beacon(FOREIGN, 5)).isEqualTo(BEACON);
  }

  @Test
  void aBeaconFromBeforeIsADuplicate() {
    message(FOREIGN, 4);
    assertThat(beacon(FOREIGN, 3)).isEqualTo(DUPLICATE);
  }

  @Test
  void aBeaconMayBeTheFirstThatIsSeenOfALane() {
    live(1);
    assertThat(beacon(FOREIGN, 4)).isEqualTo(BEACON);
    assertThat(message(FOREIGN, 5)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 7)).isEqualTo(LOSS);
  }

  @Test
  void aBeaconConfirmsALaneInTheNewGeneration() {
    live(1);
    message(FOREIGN, 4);
    generations[0] = 2;
    mark(1, 2);
    assertThat(beacon(FOREIGN, 4)).isEqualTo(BEACON);
    assertThat(message(FOREIGN, 6)).isEqualTo(LOSS);
  }

  @Test
  void aBeaconRepeatedAfterAReconnectSaysNothingOfTheNewGeneration() {
    live(1);
    message(FOREIGN, 4);
    generations[0] = 2;
    mark(1, 2);
    filter.reopened();
    assertThat(beacon(FOREIGN, 4)).isEqualTo(BEACON);
    assertThat(message(FOREIGN, 6)).isEqualTo(NEW);
  }

  @Test
  void shardsAreIndependent() {
    live(1);
    Lane second = new Lane("other", 2_000, 1);
    message(FOREIGN, 1);
    assertThat(message(second, 1)).isEqualTo(NEW);
    assertThat(message(second, 3)).isEqualTo(NEW);
    assertThat(message(FOREIGN, 3)).isEqualTo(LOSS);
  }

  @Test
  void bothBootsOfARestartedServerAreKnown() {
    Lane next = new Lane("other", 3_000, 0);
    message(FOREIGN, 5);
    message(next, 1);
    assertThat(message(FOREIGN, 5)).isEqualTo(DUPLICATE);
    assertThat(message(next, 1)).isEqualTo(DUPLICATE);
  }

  @Test
  void theThirdBootDropsTheOneSeenLongestAgo() {
    message(FOREIGN, 5);
    message(new Lane("other", 2_000, 1), 5);
    message(new Lane("other", 3_000, 0), 5);
    message(new Lane("other", 4_000, 0), 5);
    assertThat(filter.lanes()).isEqualTo(2);
    assertThat(message(new Lane("other", 3_000, 0), 5)).isEqualTo(DUPLICATE);
  }

  @Test
  void aLaneUnseenForAnHourIsForgotten() {
    message(FOREIGN, 5);
    now += AN_HOUR / 2;
    message(OWN, 1);
    now += AN_HOUR / 2;
    message(OWN, 2);
    assertThat(filter.lanes()).isEqualTo(2);
    now += 1;
    message(OWN, 3);
    assertThat(filter.lanes()).isEqualTo(1);
  }

  @Test
  void lanesAreBoundedInNumber() {
    for (int server = 0; server <= DuplicateFilter.MAX_LANES; server++) {
      message(new Lane("s" + server, 1, 0), 1);
    }
    assertThat(filter.lanes()).isEqualTo(DuplicateFilter.MAX_LANES);
  }

  private void live(long generation) {
    generations[0] = generation;
    mark(1, generation);
  }

  private void mark(long sequence, long generation) {
    filter.judge(new Arrival(OWN, sequence, generation, true), now);
  }

  private Verdict message(Lane lane, long sequence) {
    return filter.judge(new Arrival(lane, sequence, 0, false), now);
  }

  private Verdict beacon(Lane lane, long sequence) {
    return filter.judge(new Arrival(lane, sequence, 0, true), now);
  }
}
