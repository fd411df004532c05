package dev.chatflow.consumer.room;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.consumer.RecordingMeter;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.Shard;
import dev.chatflow.room.fanout.FanOut;
import dev.chatflow.room.fanout.FanOutConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The consuming half of a server, with connections that remember. */
final class ConsumingServer implements AutoCloseable {

  /** Room 0 is of shard 0, room 1 of shard 1. */
  static final RoomId ROOM = new RoomId("0");

  static final long BOOT = 1_000;
  private static final RoomsConfig ROOMS =
      new RoomsConfig(2, 1 << 20, 4 << 20, 256 << 10, Duration.ofSeconds(15), 10_000);

  final FakeSessions sessions = new FakeSessions();
  final RecordingMeter meter = new RecordingMeter();
  final List<ShardLink> links =
      IntStream.range(0, 2).mapToObj(shard -> new ShardLink(new Shard(shard))).toList();
  final ConsumerConfig config;
  final ConsumerThreads consumer;
  private final FanOut fanOut = new FanOut(new FanOutConfig(1, 1_000, Duration.ofMillis(5)));
  private final BrokerConnector connector;
  private final TestBroker broker;
  private final List<TestLane> lanes = new ArrayList<>();
  private final AtomicInteger messageIds = new AtomicInteger();

  private ConsumingServer(TestBroker broker, int threads) throws Exception {
    this.broker = broker;
    this.config = new ConsumerConfig("server-" + UUID.randomUUID(), BOOT, 2, threads, 64);
    this.connector = new BrokerConnector(broker.config(), "consumer", "chatflow test consumer");
    List<Rooms> rooms =
        IntStream.range(0, threads).mapToObj(_ -> new Rooms(ROOMS, fanOut)).toList();
    this.consumer = RoomConsumer.threads(config, connector, sessions, links, rooms, meter);
  }

  static ConsumingServer start(TestBroker broker) throws Exception {
    return start(broker, 1);
  }

  static ConsumingServer start(TestBroker broker, int threads) throws Exception {
    ConsumingServer server = new ConsumingServer(broker, threads);
    server.fanOut.start();
    server.connector.start();
    server.consumer.start();
    return server;
  }

  String queue() {
    return Topology.queue(config.serverId(), BOOT, 0);
  }

  /** This server's lane of a shard, not bound yet. */
  TestLane lane(int shard) {
    return added(new TestLane(broker, new Lane(config.serverId(), BOOT, shard), links.get(shard)));
  }

  /** Another server's lane of a shard. */
  TestLane foreignLane(int shard) {
    return added(new TestLane(broker, new Lane("foreign", BOOT, shard)));
  }

  private TestLane added(TestLane lane) {
    lanes.add(lane);
    return lane;
  }

  ChatMessage join(String session, int userId) {
    return message(MessageType.JOIN, session, userId, "");
  }

  ChatMessage text(String session, int userId, String text) {
    return message(MessageType.TEXT, session, userId, text);
  }

  ChatMessage leave(String session, int userId) {
    return message(MessageType.LEAVE, session, userId, "");
  }

  private ChatMessage message(MessageType type, String session, int userId, String text) {
    String id = "m-" + messageIds.incrementAndGet();
    return new ChatMessage(
        new ClientMessage(type, userId, "user" + userId, text, "2026-11-20T18:46:00Z", id),
        ROOM,
        1_000,
        new ChatMessage.Origin(config.serverId(), session, "127.0.0.1"),
        false);
  }

  /** Every frame that a connection was shown, in order. */
  List<String> frames(String session) {
    return sessions.open(session).member().texts();
  }

  /** What a connection was shown: the texts of its TEXT frames, in order. */
  List<String> shown(String session) {
    return frames(session).stream()
        .filter(frame -> frame.contains("\"TEXT\""))
        .map(frame -> frame.replaceFirst(".*\"message\":\"", "").replaceFirst("\".*", ""))
        .toList();
  }

  @Override
  public void close() {
    lanes.forEach(TestLane::close);
    consumer.close();
    connector.close();
    fanOut.close();
  }
}
