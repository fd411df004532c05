package dev.chatflow.consumer.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.consumer.ConsumerMeter.Duplicate;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class RoomConsumerIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Shard SHARD = new Shard(0);

  @BrokerTest
  void membersAreShownMessagesInOrderAndSendersGetTheirWindowBack(TestBroker broker)
      throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      FakeSessions.FakeSender sender = server.sessions.open("s1");
      TestLane lane = server.lane(0).bind();
      lane.send(server.join("s1", 1));
      lane.send(server.text("s1", 1, "a"), server.text("s1", 1, "b"));
      lane.send(server.text("s1", 1, "c"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a", "b", "c"));
      await().untilAsserted(() -> assertThat(sender.returns).containsExactly(1, 2, 1));
      assertThat(server.links.getFirst().returnedSequence()).isEqualTo(3);
      assertThat(server.links.getFirst().newestJoinMillis()).isEqualTo(1_000);
      await().until(() -> server.links.getFirst().members() == 1);
      assertThat(server.meter.consumed).hasValue(4);
      assertThat(server.meter.lags).isNotEmpty();
      assertThat(server.meter.endToEnds).hasSameSizeAs(server.meter.lags);
    }
  }

  @BrokerTest
  void aFlightSentTwiceIsShownOnce(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      joined(server, "s1");
      TestLane lane = server.foreignLane(0);
      lane.send(server.text("f1", 2, "a"));
      lane.sendAgain();
      lane.send(server.text("f1", 2, "b"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a", "b"));
      assertThat(server.meter.duplicates).containsExactly(Duplicate.LANE);
      assertThat(server.meter.gaps).hasValue(0);
      assertThat(server.meter.consumed).hasValue(3);
    }
  }

  @BrokerTest
  void aResendIsShownToItsSenderAlone(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      TestLane lane = joined(server, "s1");
      ChatMessage message = server.text("s1", 1, "a");
      lane.send(message);
      lane.send(message);
      FakeSessions.FakeSender sender = server.sessions.open("s1");
      await().untilAsserted(() -> assertThat(sender.resends).containsExactly(message));
      await().until(() -> sender.cameBack.get() == 3);
      assertThat(server.shown("s1")).containsExactly("a");
      assertThat(server.meter.duplicates).containsExactly(Duplicate.RESEND);
    }
  }

  /** Its members went on seeing who had left. */
  @BrokerTest
  void aLeaveIsShownThoughItsJoinPassedByWhileTheShardWasNotBound(TestBroker broker)
      throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      TestLane lane = joined(server, "s1");
      TestLane foreign = server.foreignLane(0);
      foreign.send(server.join("elsewhere-1", 7));
      await().until(() -> server.frames("s1").size() == 2);
      // Not bound for a while: the JOIN of elsewhere-2 passes by.
      lane.bind().send(server.text("s1", 1, "bound anew"));
      foreign.send(server.leave("elsewhere-2", 7));
      await().untilAsserted(() -> assertThat(server.frames("s1").getLast()).contains("LEAVE"));
      assertThat(server.meter.duplicates).isEmpty();
    }
  }

  @BrokerTest
  void aMessageWithoutLaneIsShownUnfiltered(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      joined(server, "s1");
      String line =
          """
          {
            "messageType": "TEXT", "roomId": "0", "userId": "9", "username": "other",
            "message": "hello", "timestamp": "2026-11-20T18:46:00Z", "messageId": "x-1",
            "serverTimestamp": "2026-11-20T18:46:00.125Z", "serverId": "script", "status": 200
          }
          """;
      String key = Topology.routingKey(SHARD, ConsumingServer.ROOM);
      channel.basicPublish(Topology.EXCHANGE, key, null, line.getBytes(StandardCharsets.UTF_8));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("hello"));
    }
  }

  @BrokerTest
  void poisonGoesToTheDeadLettersAndTheRestIsShown(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      joined(server, "s1");
      channel.queuePurge(Topology.DEAD_QUEUE);
      TestLane lane = server.foreignLane(0);
      lane.send("{\"poison\"");
      lane.send(server.text("f1", 2, "a"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a"));
      assertThat(server.meter.poison).hasValue(1);
      GetResponse dead = dead(channel);
      assertThat(dead.getBody()).asString().isEqualTo("{\"poison\"");
      assertThat(reason(dead)).isNotEmpty();
    }
  }

  @BrokerTest
  void aRoomOfAnotherThreadsShardIsPoison(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker, 2);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      server.lane(1).bind().beacon();
      await().until(() -> server.consumer.isReady());
      channel.queuePurge(Topology.DEAD_QUEUE);
      server.foreignLane(1).send(server.text("f1", 2, "a"));
      assertThat(reason(dead(channel))).contains("room 0 is not of the shard");
    }
  }

  @BrokerTest
  void everythingIsAcknowledgedWhenNothingMoreComes(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      TestLane lane = joined(server, "s1");
      for (int i = 0; i < 37; i++) {
        lane.send(server.text("s1", 1, "t" + i));
      }
      await().until(() -> server.sessions.open("s1").cameBack.get() == 38);
      await().untilAsserted(() -> assertThat(server.meter.unacked).hasValue(0));
      broker.closeConnections();
      await().atMost(PATIENCE).until(() -> epoch(server) == 2);
      lane.bindAgain().send(server.text("s1", 1, "last"));
      await().until(() -> server.shown("s1").contains("last"));
      assertThat(server.meter.duplicates).isEmpty();
    }
  }

  @BrokerTest
  void connectionsThatEndUnderLoadLoseAndRepeatNothing(TestBroker broker) throws Exception {
    List<String> sent = new ArrayList<>();
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      joined(server, "s1");
      TestLane lane = server.foreignLane(0);
      Thread fault = Thread.ofVirtual().start(broker::closeConnections);
      while (sent.size() < 300 || fault.isAlive() || epoch(server) < 2) {
        sent.add("t" + sent.size());
        lane.send(server.text("f1", 2, sent.getLast()));
      }
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(server.shown("s1")).isEqualTo(sent));
      assertThat(server.meter.gaps).hasValue(0);
      assertThat(server.sessions.lost).isEmpty();
    }
  }

  @BrokerTest
  void aHoleIsTold(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      joined(server, "s1");
      TestLane lane = server.foreignLane(0);
      lane.send(server.text("f1", 2, "a"));
      lane.lose();
      lane.send(server.text("f1", 2, "b"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a", "b"));
      assertThat(server.sessions.lost).containsExactly(SHARD);
      assertThat(server.meter.gaps).hasValue(1);
    }
  }

  @BrokerTest
  void aQueueDeletedByHandIsMadeAgainAndTold(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      TestLane lane = joined(server, "s1");
      broker.deleteQueue(server.queue());
      publishOnTheSide(broker, lane);
      await().atMost(PATIENCE).until(() -> epoch(server) == 2);
      assertThat(server.links.getFirst().queue())
          .isEqualTo(new ShardLink.OwnQueue(server.queue(), 2, 2));
      assertThat(server.sessions.lost).containsExactly(SHARD);
      lane.bind().send(server.text("s1", 1, "a"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a"));
    }
  }

  @BrokerTest
  void aBindingRemovedByHandIsNoticed(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      TestLane lane = joined(server, "s1");
      Topology.unbind(channel, server.queue(), SHARD);
      publishOnTheSide(broker, lane);
      await().atMost(PATIENCE).until(() -> epoch(server) == 2);
      lane.bindAgain().send(server.text("s1", 1, "a"));
      await().untilAsserted(() -> assertThat(server.shown("s1")).containsExactly("a"));
      assertThat(server.links.getFirst().queue())
          .isEqualTo(new ShardLink.OwnQueue(server.queue(), 2, 1));
    }
  }

  @BrokerTest
  void theQueueIsOpenedAnewWhenALaneAsksForIt(TestBroker broker) throws Exception {
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      joined(server, "s1");
      server.links.getFirst().requestAttention();
      await().until(() -> epoch(server) == 2);
      await().until(() -> server.consumer.isReady());
      assertThat(server.sessions.lost).isEmpty();
    }
  }

  @BrokerTest
  void aBrokerThatIsAwayAtTheStartIsWaitedFor(TestBroker broker) throws Exception {
    broker.goAway();
    try (ConsumingServer server = ConsumingServer.start(broker)) {
      assertThat(server.consumer.isReady()).isFalse();
      assertThat(server.consumer.started()).isNotDone();
      broker.comeBack();
      await().atMost(PATIENCE).until(() -> server.consumer.started().isDone());
      assertThat(server.consumer.isReady()).isTrue();
      assertThat(server.consumer.failure()).isNull();
    } finally {
      broker.comeBack();
    }
  }

  @BrokerTest
  void anotherNumberOfShardsIsFatalWhereTheBrokerKeepsIt(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.queueDelete(Topology.SHARDS_QUEUE);
      Topology.declareShared(connection, 3);
      try (ConsumingServer server = ConsumingServer.start(broker)) {
        await().until(() -> server.consumer.started().isDone());
        boolean kept = broker.knowsQueueArguments(); // else the launcher sees to the number
        assertThat(server.consumer.started().isCompletedExceptionally()).isEqualTo(kept);
        assertThat(server.consumer.failure() != null).isEqualTo(kept);
        assertThat(server.consumer.isReady()).isEqualTo(!kept);
      } finally {
        channel.queueDelete(Topology.SHARDS_QUEUE);
      }
    }
  }

  @BrokerTest
  void closingDeletesTheQueueNobodyWillRead(TestBroker broker) throws Exception {
    ConsumingServer server = ConsumingServer.start(broker);
    server.consumer.started().get();
    server.close();
    try (Connection connection = broker.connect()) {
      Channel channel = connection.createChannel();
      assertThatThrownBy(() -> channel.queueDeclarePassive(server.queue()))
          .isInstanceOf(IOException.class);
    }
  }

  /** A member whose own lane has bound its shard. */
  private static TestLane joined(ConsumingServer server, String session) throws Exception {
    FakeSessions.FakeSender sender = server.sessions.open(session);
    TestLane lane = server.lane(0).bind();
    lane.send(server.join(session, 1));
    await().until(() -> sender.cameBack.get() == 1);
    return lane;
  }

  /** Another queue wants the beacon, so that the broker confirms it though the own one is gone. */
  private static void publishOnTheSide(TestBroker broker, TestLane lane) throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      String aside = channel.queueDeclare("", false, true, true, Map.of()).getQueue();
      channel.queueBind(aside, Topology.EXCHANGE, "room.#");
      lane.beacon();
    }
  }

  private static int epoch(ConsumingServer server) {
    ShardLink.OwnQueue queue = server.links.getFirst().queue();
    return queue == null ? 0 : queue.epoch();
  }

  private static GetResponse dead(Channel channel) {
    return await().until(() -> channel.basicGet(Topology.DEAD_QUEUE, true), r -> r != null);
  }

  private static String reason(GetResponse dead) {
    return String.valueOf(dead.getProps().getHeaders().get(Topology.HEADER_REASON));
  }
}
