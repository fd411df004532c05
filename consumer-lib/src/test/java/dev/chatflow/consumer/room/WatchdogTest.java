package dev.chatflow.consumer.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.consumer.room.ShardLink.OwnFlight;
import dev.chatflow.room.Shard;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchdogTest {

  private static final long LATER = Watchdog.PATIENCE_NANOS;

  private final ShardLink link = new ShardLink(new Shard(0));
  private final ShardLink other = new ShardLink(new Shard(2));
  private final Watchdog watchdog = new Watchdog(List.of(link, other), 0);

  @BeforeEach
  void bind() {
    link.binding(1);
    other.binding(1);
  }

  @Test
  void aConfirmedFlightThatDoesNotComeBackIsMissing() {
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, true)).isNull();
    assertThat(watchdog.missing(200 + LATER - 1, true)).isNull();
    assertThat(watchdog.missing(200 + LATER, true)).contains("own message 1 of shard 0");
  }

  @Test
  void aFlightThatCameBackIsNotMissing() {
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, true)).isNull();
    comeBack(link, 1, 300);
    assertThat(watchdog.missing(200 + LATER, true)).isNull();
  }

  @Test
  void anUnconfirmedFlightIsNotMissing() {
    link.published(new OwnFlight(1, 100, 90));
    assertThat(watchdog.missing(200, true)).isNull();
    assertThat(watchdog.missing(200 + LATER, true)).isNull();
  }

  @Test
  void nothingIsMissingWhileDeliveriesWait() {
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, true)).isNull();
    assertThat(watchdog.missing(200 + LATER, false)).isNull();
  }

  @Test
  void aFlightOvertakenByALaterOneOfAnotherShardIsMissingAlsoUnderLoad() {
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, false)).isNull();
    publish(other, 1, 300);
    comeBack(other, 1, 400);
    assertThat(watchdog.missing(200 + LATER, false)).contains("shard 0");
  }

  @Test
  void aFlightIsNotOvertakenByAnEarlierOne() {
    publish(other, 1, 50);
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, false)).isNull();
    comeBack(other, 1, 400);
    assertThat(watchdog.missing(200 + LATER, false)).isNull();
  }

  @Test
  void aLaneThatGoesOnPublishingDoesNotHideItsLoss() {
    for (int i = 1; i <= 5; i++) {
      publish(link, i, i * LATER / 4);
      if (i < 5) {
        assertThat(watchdog.missing(i * LATER / 4, true)).isNull();
      }
    }
    assertThat(watchdog.missing(5 * LATER / 4, true)).contains("own message 1 ");
  }

  @Test
  void aBeaconIsMissedThoughItsNumberCameBackBefore() {
    publish(link, 7, 100);
    comeBack(link, 7, 200);
    assertThat(watchdog.missing(300, true)).isNull();
    publish(link, 7, 1_000);
    assertThat(watchdog.missing(2_000, true)).isNull();
    assertThat(watchdog.missing(2_000 + LATER, true)).contains("own message 7 ");
  }

  @Test
  void aBeaconThatCameBackIsNotMissing() {
    publish(link, 7, 100);
    comeBack(link, 7, 200);
    publish(link, 7, 1_000);
    assertThat(watchdog.missing(1_100, true)).isNull();
    comeBack(link, 7, 1_200);
    assertThat(watchdog.missing(1_100 + LATER, true)).isNull();
  }

  @Test
  void whatWasMissingIsForgottenWhenTheQueueIsOpenedAnew() {
    publish(link, 1, 100);
    assertThat(watchdog.missing(200, true)).isNull();
    watchdog.restart();
    assertThat(watchdog.missing(200 + LATER, true)).isNull();
    assertThat(watchdog.missing(200 + 2 * LATER, true)).isNull();
  }

  @Test
  void anUnboundShardIsNotWatched() {
    publish(link, 1, 100);
    link.unbinding();
    assertThat(watchdog.missing(200, true)).isNull();
    assertThat(watchdog.missing(200 + LATER, true)).isNull();
  }

  private static void publish(ShardLink link, long sequence, long nanos) {
    link.published(new OwnFlight(sequence, nanos, nanos));
    link.confirmed(sequence, nanos + 10);
  }

  private void comeBack(ShardLink link, long sequence, long nanos) {
    link.returned(sequence);
    watchdog.returned(link, sequence, nanos);
  }
}
