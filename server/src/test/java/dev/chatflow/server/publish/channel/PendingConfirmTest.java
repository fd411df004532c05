package dev.chatflow.server.publish.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PendingConfirmTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Confirm ACKED = new Confirm.Acked();
  private static final Confirm NACKED = new Confirm.Nacked();
  private static final Confirm RETURNED = new Confirm.Returned("NO_ROUTE");

  private final PendingConfirm pending = new PendingConfirm("id-1", 7);

  @Test
  void anAckOfItsTagOrOfAllUpToALaterOneSettlesIt() throws Exception {
    pending.acked(6, true);
    pending.acked(8, false);
    pending.acked(8, true);
    pending.nacked(7, false);
    assertThat(outcome()).isEqualTo(ACKED);
  }

  @Test
  void aReturnThenAnAckIsAReturn() throws Exception {
    pending.returned("id-1", "NO_ROUTE");
    pending.acked(7, false);
    assertThat(outcome()).isEqualTo(RETURNED);
  }

  @Test
  void aNackThenAReturnIsAReturn() throws Exception {
    pending.nacked(7, false);
    pending.returned("id-1", "NO_ROUTE");
    assertThat(outcome()).isEqualTo(RETURNED);
  }

  @Test
  void aReturnThenANackIsAReturn() throws Exception {
    pending.returned("id-1", "NO_ROUTE");
    pending.nacked(7, false);
    assertThat(outcome()).isEqualTo(RETURNED);
  }

  @Test
  void aNackWithoutReturnIsANack() throws Exception {
    pending.nacked(7, true);
    assertThat(outcome()).isEqualTo(NACKED);
  }

  @Test
  void theReturnOfAnotherMessageIsIgnored() throws Exception {
    pending.returned("id-0", "NO_ROUTE");
    pending.returned(null, "NO_ROUTE");
    pending.acked(7, false);
    assertThat(outcome()).isEqualTo(ACKED);
  }

  @Test
  void theEndOfTheChannelSettlesItUnlessItWasAcked() throws Exception {
    pending.ended(new Confirm.Lost("closed"));
    pending.acked(7, false);
    assertThat(outcome()).isEqualTo(new Confirm.Lost("closed"));
  }

  @Test
  void withoutAWordItTimesOut() throws Exception {
    assertThat(pending.await(Duration.ofMillis(5), () -> false)).isEqualTo(new Confirm.TimedOut());
  }

  @Test
  void theTimeoutDoesNotRunWhileTheBrokerTakesNoPublishes() {
    AtomicBoolean blocked = new AtomicBoolean(true);
    AtomicInteger steps = new AtomicInteger();
    CompletableFuture<Confirm> outcome =
        CompletableFuture.supplyAsync(
            () ->
                await10Millis(() -> {
                  steps.incrementAndGet();
                  return blocked.get();
                }),
            Thread::startVirtualThread);
    await().atMost(PATIENCE).until(() -> steps.get() > 10); // of 10 ms each, asked twice
    assertThat(outcome).isNotDone();
    blocked.set(false);
    assertThat(outcome).succeedsWithin(PATIENCE).isEqualTo(new Confirm.TimedOut());
  }

  private Confirm await10Millis(BooleanSupplier blocked) {
    try {
      return pending.await(Duration.ofMillis(10), blocked);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Confirm outcome() throws InterruptedException {
    return pending.await(PATIENCE, () -> false);
  }
}
