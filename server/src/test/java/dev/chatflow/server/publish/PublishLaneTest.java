package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.publish.channel.Confirm;
import dev.chatflow.server.publish.channel.Flight;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lane does with messages: flights in their order, each until it is confirmed. */
class PublishLaneTest extends LaneScene {

  @Test
  void whatArrivesDuringAFlightIsTheNextFlight() {
    CountDownLatch inTheAir = new CountDownLatch(1);
    uplink.next(_ -> {
      inTheAir.await();
      return new Confirm.Acked();
    });
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(uplink.attempts).hasSize(1));
    offer("b");
    offer("c");
    assertThat(lane.isEmpty()).isFalse();
    inTheAir.countDown();
    eventually(() -> assertThat(takenLines()).containsExactly("a", "b", "c"));
    assertThat(uplink.taken).hasSize(2);
    assertThat(uplink.taken.get(1).messages()).isEqualTo(2);
  }

  @Test
  void flightsStartAtLeastThePaceApart() {
    Duration pace = Duration.ofMillis(80);
    List<Long> starts = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 4; i++) {
      uplink.next(_ -> {
        starts.add(System.nanoTime());
        offer("again");
        return new Confirm.Acked();
      });
    }
    start(new LaneTiming(pace, LONG, LONG, LONG));
    long begun = System.nanoTime();
    offer("first");
    eventually(() -> assertThat(starts).hasSize(4));
    for (int i = 1; i < 4; i++) {
      assertThat(starts.get(i) - begun).isGreaterThanOrEqualTo(i * pace.toNanos());
    }
  }

  static Stream<Confirm> troubles() {
    return Stream.of(
        new Confirm.Nacked(), new Confirm.TimedOut(), new Confirm.Lost("channel closed"));
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void sendsTheSameBytesAndSequenceOnAnotherChannelUntilConfirmed(Confirm trouble) {
    uplink.next(_ -> {
      offer("b");
      return trouble;
    });
    uplink.next(_ -> trouble);
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a", "b"));
    assertThat(uplink.attempts).hasSize(4);
    assertThat(uplink.attempts.get(1)).isSameAs(uplink.attempts.get(0));
    assertThat(uplink.attempts.get(2)).isSameAs(uplink.attempts.get(0));
    assertThat(uplink.channelsClosed).hasValue(2);
    assertThat(uplink.events)
        .containsExactly("bind own", "flight 1", "flight 1", "flight 1", "flight 2");
  }

  @Test
  void aLostConnectionIsWaitedFor() {
    uplink.next(_ -> {
      uplink.closeChannels();
      uplink.open(false);
      return new Confirm.Lost("connection closed");
    });
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(uplink.attempts).hasSize(1));
    offer("b");
    awaitLaneIn("awaitOpen");
    assertThat(uplink.attempts).hasSize(1);
    uplink.open(true);
    eventually(() -> assertThat(takenLines()).containsExactly("a", "b"));
  }

  @Test
  void countsWhatIsGivenUp() throws Exception {
    uplink.next(_ -> {
      new CountDownLatch(1).await();
      return new Confirm.Acked();
    });
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(uplink.attempts).hasSize(1));
    offer("b");
    offer("c");
    lane.close();
    assertThat(lane.awaitEnd(Duration.ofSeconds(10))).isEqualTo(3);
  }

  static LongStream seeds() {
    return new Random(25).longs(10);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsTheOrderWhateverHappensToFlights(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 30; i++) {
      int kind = random.nextInt(4);
      uplink.next(_ -> kind == 0 ? new Confirm.Nacked() : acked());
    }
    start(QUIET);
    List<String> offered = IntStream.range(0, 300).mapToObj(i -> "m" + i).toList();
    offered.forEach(this::offer);
    eventually(() -> assertThat(takenLines()).isEqualTo(offered));
    assertThat(uplink.taken.stream().map(Flight::sequence))
        .isEqualTo(LongStream.rangeClosed(1, uplink.taken.size()).boxed().toList());
  }

  private static Confirm acked() {
    return new Confirm.Acked();
  }
}
