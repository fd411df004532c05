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
import dev.chatflow.server.publish.channel.FakeUplink;
import dev.chatflow.server.publish.channel.Flight;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A lane of shard 0 with a fake broker; the consumer's part is played by the test that extends it.
 */
abstract class LaneScene {

  static final Drained NOBODY = () -> {};
  static final Duration LONG = Duration.ofHours(1);

  /** No beacon, no unbind: only what the test causes. */
  static final LaneTiming QUIET = new LaneTiming(Duration.ZERO, LONG, LONG, LONG);

  final FakeUplink uplink = new FakeUplink();
  private final ChannelPool pool =
      new ChannelPool(uplink, new ChannelPool.Bounds(2, 0, Duration.ofSeconds(1)), _ -> {});
  final Circuit circuit = new Circuit(5);
  final ShardLink link = new ShardLink(new Shard(0));
  PublishLane lane;

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

  PublishLane lane(LaneTiming timing) {
    Lane id = new Lane("server-1", 1, 0);
    FlightBuilder builder = new FlightBuilder(id, link, System::currentTimeMillis);
    LaneTools tools = new LaneTools(uplink, pool, circuit, timing, new NoMeter());
    return new PublishLane(new LaneQueue(1_000), builder, link, tools);
  }

  void start(LaneTiming timing) {
    lane = lane(timing);
    lane.start();
  }

  void offer(String content) {
    lane.offer(Lines.text("4", content), NOBODY);
  }

  static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(10)).untilAsserted(assertion);
  }

  /** Until the lane's only thread stands in a method: it does nothing else then. */
  static void awaitLaneIn(String method) {
    eventually(() -> assertThat(lanesStack()).contains(method));
  }

  private static List<String> lanesStack() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("chat-lane-0"))
        .flatMap(thread -> Stream.of(thread.getValue()))
        .map(StackTraceElement::getMethodName)
        .toList();
  }

  List<String> takenLines() {
    List<String> lines = new ArrayList<>();
    for (Flight flight : uplink.taken) {
      Batch.forEachLine(
          flight.body(),
          (from, to) ->
              lines.add(new String(flight.body(), from, to - from, StandardCharsets.UTF_8)));
    }
    return lines;
  }
}
