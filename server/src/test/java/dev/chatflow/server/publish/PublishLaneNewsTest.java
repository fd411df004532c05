package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.publish.channel.CircuitState;
import dev.chatflow.server.publish.channel.Confirm;
import dev.chatflow.server.publish.channel.Flight;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a lane tells others: circuit, consumer, senders, and who waits until it is empty. */
class PublishLaneNewsTest extends LaneScene {

  @Test
  void fiveFailedAttemptsOpenTheCircuitAndTheFirstConfirmClosesIt() {
    CountDownLatch sixth = new CountDownLatch(1);
    IntStream.range(0, 5).forEach(_ -> uplink.next(_ -> new Confirm.Nacked()));
    uplink.next(_ -> {
      sixth.await();
      return new Confirm.Acked();
    });
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(circuit.state()).isEqualTo(CircuitState.OPEN));
    sixth.countDown();
    eventually(() -> assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED));
    assertThat(takenLines()).containsExactly("a");
  }

  @Test
  void tellsTheConsumerWhatIsPublishedAndConfirmed() {
    CountDownLatch inTheAir = new CountDownLatch(1);
    uplink.next(_ -> {
      inTheAir.await();
      return new Confirm.Acked();
    });
    Outgoing message = Lines.text("4", "a");
    lane = lane(QUIET);
    lane.start();
    lane.offer(message, NOBODY);
    eventually(() -> assertThat(link.flight().sequence()).isEqualTo(1));
    assertThat(link.flight().acceptedNanos()).isEqualTo(message.acceptedNanos());
    assertThat(link.confirmedSequence()).isZero();
    inTheAir.countDown();
    eventually(() -> assertThat(link.confirmedSequence()).isEqualTo(1));
    assertThat(link.confirmedNanos() - link.flight().publishedNanos()).isPositive();
  }

  @Test
  void isEmptyOnlyWhenAllFlightsCameBack() {
    start(QUIET);
    assertThat(lane.isEmpty()).isTrue();
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    assertThat(lane.isEmpty()).isFalse();
    link.returned(1);
    eventually(() -> assertThat(lane.isEmpty()).isTrue());
  }

  @Test
  void aSenderRefusedIsCalledBackWhenTheLaneHasDrained() {
    AtomicInteger called = new AtomicInteger();
    lane = lane(QUIET);
    assertThat(lane.offer(Lines.ofBytes("4", 900), NOBODY)).isTrue();
    assertThat(lane.offer(Lines.ofBytes("4", 200), called::incrementAndGet)).isFalse();
    assertThat(lane.belowBound()).isFalse();
    lane.start();
    eventually(() -> assertThat(called).hasValue(1));
    assertThat(lane.belowHalf()).isTrue();
  }

  @Test
  void aSenderThatFailsWhenCalledBackCostsNoMessage() {
    lane = lane(QUIET);
    lane.offer(
        Lines.ofBytes("4", 1_001),
        () -> {
          throw new IllegalStateException("a sender's bug, caused on purpose");
        });
    lane.start();
    eventually(() -> assertThat(uplink.taken).hasSize(1));
    offer("b");
    eventually(() -> assertThat(takenLines()).last().isEqualTo("b"));
    assertThat(uplink.taken.stream().map(Flight::sequence)).containsExactly(1L, 2L);
  }
}
