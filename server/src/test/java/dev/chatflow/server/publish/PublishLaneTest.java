package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.message.line.Batch;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.ChannelPool;
import dev.chatflow.server.publish.channel.Circuit;
import dev.chatflow.server.publish.channel.CircuitState;
import dev.chatflow.server.publish.channel.Confirm;
import dev.chatflow.server.publish.channel.FakeUplink;
import dev.chatflow.server.publish.channel.Flight;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lane with a fake broker; the consumer's part is played by the test. */
class PublishLaneTest {

  private static final Drained NOBODY = () -> {};
  private static final Duration LONG = Duration.ofHours(1);

  /** No beacon, no unbind: only what the test causes. */
  private static final LaneTiming QUIET = new LaneTiming(Duration.ZERO, LONG, LONG, LONG);

  private final FakeUplink uplink = new FakeUplink();
  private final ChannelPool pool =
      new ChannelPool(uplink, new ChannelPool.Bounds(2, 0, Duration.ofSeconds(1)), _ -> {});
  private final Circuit circuit = new Circuit(5);
  private final ShardLink link = new ShardLink(new Shard(0));
  private PublishLane lane;

  @BeforeEach
  void openQueue() {
    circuit.connected();
    link.queueOpen(new OwnQueue("own", 1, 1));
    lane = lane(QUIET);
  }

  @AfterEach
  void stopLane() throws Exception {
    lane.close();
    lane.awaitEnd(Duration.ofSeconds(10));
    pool.close();
  }

  private PublishLane lane(LaneTiming timing) {
    Lane id = new Lane("server-1", 1, 0);
    FlightBuilder builder = new FlightBuilder(id, link, System::currentTimeMillis);
    LaneTools tools = new LaneTools(uplink, pool, circuit, timing, new NoMeter());
    return new PublishLane(new LaneQueue(1_000), builder, link, tools);
  }

  private void start(LaneTiming timing) {
    lane = lane(timing);
    lane.start();
  }

  private void offer(String content) {
    lane.offer(Lines.text("4", content), NOBODY);
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(10)).untilAsserted(assertion);
  }

  /** Until the lane's only thread stands in a method: it does nothing else then. */
  private static void awaitLaneIn(String method) {
    eventually(() -> assertThat(lanesStack()).contains(method));
  }

  private static List<String> lanesStack() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("chat-lane-0"))
        .flatMap(thread -> Stream.of(thread.getValue()))
        .map(StackTraceElement::getMethodName)
        .toList();
  }

  private void awaitTenBeacons() {
    int before = uplink.taken.size();
    eventually(() -> assertThat(uplink.taken).hasSizeGreaterThanOrEqualTo(before + 10));
  }

  private List<String> takenLines() {
    List<String> lines = new ArrayList<>();
    for (Flight flight : uplink.taken) {
      Batch.forEachLine(
          flight.body(),
          (from, to) ->
              lines.add(new String(flight.body(), from, to - from, StandardCharsets.UTF_8)));
    }
    return lines;
  }

  private static List<Object> marks(List<Flight> flights) {
    return flights.stream()
        .map(flight -> flight.properties().getHeaders().getOrDefault("x-bind", 0L))
        .toList();
  }

  @Test
  void bindsBeforeTheFirstFlightAndOnlyOnce() {
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    offer("b");
    eventually(() -> assertThat(takenLines()).containsExactly("a", "b"));
    assertThat(uplink.events).containsExactly("bind own", "flight 1", "flight 2");
    assertThat(marks(uplink.taken)).containsExactly(1L, 0L);
    assertThat(link.generation()).isEqualTo(1);
  }

  @Test
  void waitsForTheConsumersQueue() {
    link.queueClosed();
    start(QUIET);
    offer("a");
    awaitLaneIn("awaitQueue");
    assertThat(uplink.events).isEmpty();
    link.queueOpen(new OwnQueue("own", 2, 1));
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
  }

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
  void aReturnMakesTheConsumerDeclareAnewThenTheSameBytesGoAgain() {
    uplink.next(_ -> new Confirm.Returned("NO_ROUTE"));
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(link.takeAttention()).isTrue());
    assertThat(uplink.attempts).hasSize(1);
    link.queueOpen(new OwnQueue("own", 2, 2)); // newly created
    eventually(() -> assertThat(uplink.taken).hasSize(2));
    assertThat(uplink.attempts.get(1)).isSameAs(uplink.attempts.get(0));
    assertThat(uplink.events)
        .containsExactly("bind own", "flight 1", "bind own", "flight 1", "beacon 1");
    assertThat(marks(uplink.taken)).containsExactly(1L, 2L);
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
  void aFailedBindIsTriedAgainAndAMissingQueueIsDeclaredAnew() {
    uplink.nextBind(new Confirm.Lost("channel closed"));
    uplink.nextBind(new Confirm.Returned("no queue"));
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(link.takeAttention()).isTrue());
    link.queueOpen(new OwnQueue("own", 2, 1));
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    assertThat(uplink.events).containsExactly("bind own", "bind own", "bind own", "flight 1");
    assertThat(marks(uplink.taken)).containsExactly(1L);
  }

  @Test
  void aReopenedQueueIsBoundAgainAndABeaconCarriesTheSameGeneration() {
    start(QUIET);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    link.queueOpen(new OwnQueue("own", 2, 1)); // found, not created
    eventually(() -> assertThat(uplink.taken).hasSize(2));
    assertThat(uplink.events).containsExactly("bind own", "flight 1", "bind own", "beacon 1");
    assertThat(marks(uplink.taken)).containsExactly(1L, 1L);
  }

  @Test
  void anIdleLaneSendsBeacons() {
    start(new LaneTiming(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(5), LONG));
    offer("a");
    eventually(() -> assertThat(uplink.taken).hasSizeGreaterThan(3));
    assertThat(uplink.events).startsWith("bind own", "flight 1", "beacon 1", "beacon 1");
    assertThat(uplink.taken.stream().skip(1)).allMatch(Flight::isBeacon);
  }

  @Test
  void unbindsAfterTheLingerWithoutMembersAndWithAllFlightsBack() {
    Duration every = Duration.ofMillis(5);
    start(new LaneTiming(Duration.ZERO, every, every, Duration.ofMillis(20)));
    link.members(1);
    offer("a");
    eventually(() -> assertThat(takenLines()).containsExactly("a"));
    awaitTenBeacons(); // which takes longer than the linger
    assertThat(lane.isBound()).isTrue();
    link.members(0);
    awaitTenBeacons();
    assertThat(lane.isBound()).isTrue();
    link.returned(1);
    eventually(() -> assertThat(uplink.events).endsWith("unbind own"));
    assertThat(link.generation()).isZero();
    uplink.taken.clear();
    offer("b");
    eventually(() -> assertThat(takenLines()).containsExactly("b"));
    assertThat(marks(uplink.taken)).first().isEqualTo(2L);
    assertThat(link.generation()).isEqualTo(2);
  }

  @Test
  void aProbeBindsAnIdleLaneAndItsConfirmClosesTheCircuit() {
    start(QUIET);
    lane.probe(circuit.connection());
    eventually(() -> assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED));
    assertThat(uplink.events).containsExactly("bind own", "beacon 0");
  }

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
