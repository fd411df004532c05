package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void threadsAreAddedUp() {
    Tally other = new Tally();
    for (Tally one : new Tally[] {tally, other}) {
      one.count(Count.TEXTS_WRITTEN);
      one.add(Count.TEXT_DELIVERIES, 5);
      one.rejected("RATE_LIMITED");
      one.lostConnection(1006, false, true);
      one.failure("timeout");
      one.inFlight(3, 10);
    }
    tally.add(other);
    assertThat(tally.written()).isEqualTo(2);
    assertThat(tally.deliveries()).isEqualTo(10);
    assertThat(tally.of(Count.REJECTED)).isEqualTo(2);
    assertThat(tally.errorCodes()).containsEntry("RATE_LIMITED", 2L);
    assertThat(tally.closeCodes()).containsEntry(1006, 2L);
    assertThat(tally.failures()).containsEntry("timeout", 2L);
    assertThat(tally.of(Count.LOST_AGAIN)).isEqualTo(2);
    assertThat(tally.inFlightNanos()).isEqualTo(60);
  }

  @Test
  void slowReadersAreCountedSeparately() {
    tally.lostConnection(4008, true, false);
    assertThat(tally.of(Count.SLOW_LOST)).isEqualTo(1);
    assertThat(tally.of(Count.CONNECTIONS_LOST)).isZero();
    assertThat(tally.closeCodes()).containsEntry(4008, 1L);
  }

  /**
   * A draining server requests a different delay from each client. That is one reason, not a
   * thousand.
   */
  @Test
  void reasonsThatDifferOnlyInATimeAreMerged() {
    for (int millis = 900; millis < 1_100; millis++) {
      tally.failure("connection lost: 1001 reconnect after " + millis + " ms");
    }
    assertThat(tally.failures())
        .containsExactly(java.util.Map.entry("connection lost: 1001 reconnect after N ms", 200L));
  }

  @Test
  void numberOfReasonsIsLimited() {
    for (int i = 0; i < 1_000; i++) {
      tally.failure("reason " + i);
    }
    tally.failure("reason 0");
    assertThat(tally.failures()).hasSize(50).containsEntry("reason 0", 2L);
  }
}
