package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.message.line.Batch;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.Flight;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlightTest {

  private static final long CLOCK = 1_790_000_000_000L;
  private static final Drained NOBODY = () -> {};

  private final ShardLink link = new ShardLink(new Shard(1));
  private final Lane lane = new Lane("server-2", 1_700_000_000_123L, 1);
  private final FlightBuilder builder = new FlightBuilder(lane, link, () -> CLOCK);
  private final LaneQueue queue = new LaneQueue(16 << 20);

  @Test
  void aSingleMessageTravelsAsItsLineUnderItsRoom() {
    queue.offer(Lines.text("5", "{\"a\":1}"), NOBODY);
    Flight flight = builder.build(queue, 42, 0);
    assertThat(flight.body()).asString(StandardCharsets.UTF_8).isEqualTo("{\"a\":1}");
    assertThat(flight.routingKey()).isEqualTo("room.s1.5");
    assertThat(flight.messages()).isEqualTo(1);
    assertThat(flight.sequence()).isEqualTo(42);
    assertThat(flight.messageId()).isEqualTo("id-{\"a\":1}");
    assertThat(flight.properties())
        .isEqualTo(
            new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .messageId("id-{\"a\":1}")
                .appId("server-2")
                .timestamp(date())
                .type("TEXT")
                .deliveryMode(2)
                .headers(Map.of("x-lane", "server-2/1700000000123/1", "x-seq", 42L))
                .build());
  }

  @Test
  void aBatchOfOneRoomTravelsUnderItsRoomWithItsCount() {
    queue.offer(Lines.text("5", "{\"a\":1}"), NOBODY);
    queue.offer(Lines.text("5", "{\"a\":2}"), NOBODY);
    queue.offer(Lines.text("5", "{\"a\":3}"), NOBODY);
    Flight flight = builder.build(queue, 43, 7);
    assertThat(flight.body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"a\":1}\n{\"a\":2}\n{\"a\":3}");
    assertThat(flight.routingKey()).isEqualTo("room.s1.5");
    assertThat(flight.properties())
        .isEqualTo(
            new AMQP.BasicProperties.Builder()
                .contentType("application/x-ndjson")
                .messageId("server-2/1700000000123/1/43")
                .appId("server-2")
                .timestamp(date())
                .deliveryMode(2)
                .headers(
                    Map.of(
                        "x-lane",
                        "server-2/1700000000123/1",
                        "x-seq",
                        43L,
                        "x-bind",
                        7L,
                        "x-count",
                        3))
                .build());
  }

  @Test
  void aBatchOfSeveralRoomsTravelsUnderTheShard() {
    queue.offer(Lines.text("5", "a"), NOBODY);
    queue.offer(Lines.text("1", "b"), NOBODY);
    assertThat(builder.build(queue, 1, 0).routingKey()).isEqualTo("room.s1");
  }

  @Test
  void aBeaconIsEmptyAndRepeatsTheLastSequence() {
    Flight beacon = builder.beacon(new ShardLink.OwnFlight(42, 0, 17), 0);
    assertThat(beacon.body()).isEmpty();
    assertThat(beacon.isBeacon()).isTrue();
    assertThat(beacon.routingKey()).isEqualTo("room.s1");
    assertThat(beacon.acceptedNanos()).isEqualTo(17);
    assertThat(beacon.properties().getHeaders())
        .isEqualTo(Map.of("x-lane", "server-2/1700000000123/1", "x-seq", 42L));
    assertThat(builder.beacon(new ShardLink.OwnFlight(42, 0, 17), 3).properties().getHeaders())
        .containsEntry("x-bind", 3L);
  }

  @Test
  void aFlightIsAsOldAsItsOldestMessage() {
    Outgoing oldest = Lines.text("5", "a");
    queue.offer(oldest, NOBODY);
    queue.offer(Lines.text("5", "b"), NOBODY);
    assertThat(builder.build(queue, 1, 0).acceptedNanos()).isEqualTo(oldest.acceptedNanos());
  }

  @Test
  void whatDoesNotFitStaysInOrder() {
    for (int i = 0; i < Batch.MAX_MESSAGES + 1; i++) {
      queue.offer(Lines.text("5", "m" + i), NOBODY);
    }
    assertThat(builder.build(queue, 1, 0).messages()).isEqualTo(Batch.MAX_MESSAGES);
    assertThat(builder.build(queue, 2, 0).body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("m" + Batch.MAX_MESSAGES);
  }

  @Test
  void aJoinIsStampedWhenItsFlightIsBuilt() {
    link.joinSeen(CLOCK + 2_000);
    queue.offer(Lines.join("5", 17, "s-1"), NOBODY);
    Flight flight = builder.build(queue, 1, 0);
    Outgoing.Join join = Lines.join("5", 17, "s-1");
    assertThat(flight.body()).isEqualTo(LineWriter.line(join.message().acceptedAt(CLOCK + 2_001)));
    assertThat(flight.properties().getType()).isEqualTo("JOIN");
    assertThat(flight.messageId()).isEqualTo("j-s-1");
  }

  @Test
  void aJoinThatDoesNotFitIsStampedAnewInTheNextFlight() {
    queue.offer(Lines.ofBytes("5", Batch.MAX_BYTES - 10), NOBODY);
    queue.offer(Lines.join("5", 17, "s-1"), NOBODY);
    assertThat(builder.build(queue, 1, 0).messages()).isEqualTo(1);
    link.joinSeen(CLOCK + 50);
    assertThat(builder.build(queue, 2, 0).body())
        .isEqualTo(LineWriter.line(Lines.join("5", 17, "s-1").message().acceptedAt(CLOCK + 51)));
  }

  static LongStream seeds() {
    return new Random(25).longs(50);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void flightsCutAnyStreamWithinTheBoundsAndLoseNothing(long seed) {
    Random random = new Random(seed);
    List<String> offered = new ArrayList<>();
    int count = 1 + random.nextInt(1_500);
    for (int i = 0; i < count; i++) {
      String line = i + "x".repeat(random.nextInt(random.nextInt(1_000) + 1));
      offered.add(line);
      queue.offer(Lines.text("5", line), NOBODY);
    }
    List<String> flown = new ArrayList<>();
    for (long sequence = 1; !queue.isEmpty(); sequence++) {
      Flight flight = builder.build(queue, sequence, 0);
      assertThat(flight.body().length).isLessThanOrEqualTo(Batch.MAX_BYTES);
      assertThat(flight.messages()).isBetween(1, Batch.MAX_MESSAGES);
      Batch.forEachLine(
          flight.body(),
          (from, to) ->
              flown.add(new String(flight.body(), from, to - from, StandardCharsets.UTF_8)));
    }
    assertThat(flown).isEqualTo(offered);
  }

  @SuppressWarnings("JavaUtilDate")
  private static Date date() {
    return new Date(CLOCK);
  }
}
