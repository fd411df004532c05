package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.Headers;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/**
 * Servers of two neighboring versions share a broker: entries of the next version, with a header, a
 * field and a kind that this one does not know, are shown, or skipped and counted, and never count
 * as a hole.
 */
class NeighbouringVersionsIT {

  private static final String ROOM = "5";
  private static final Shard SHARD = Shard.of(new RoomId(ROOM), Shard.DEFAULT_COUNT);
  private static final Map<String, String> METRICS = Map.of("CHATFLOW_METRICS_PUBLIC", "true");

  private static final String TWO_PASSED_OVER =
      "\nchatflow_entries_passed_total\\{[^}]*why=\"unknown\"[^}]*} 2[.]0\n";

  @BrokerTest
  void framesOfANewerVersionAreShownOrSkipped(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one", METRICS);
        TestServer two = TestServer.start(broker.uri(), "two", METRICS);
        Connection connection = broker.connect();
        ChatClient first = ChatClient.joined(one.chat(ROOM), 1);
        ChatClient second = ChatClient.joined(two.chat(ROOM), 2)) {
      NextVersion next = new NextVersion(connection);
      next.line("JOIN", "n-1", "");
      next.kind(new byte[0]);
      next.line("TEXT", "n-2", "\"message\":\"of the next version\",");
      next.kind("{\"reaction\":\"n-2\"}".getBytes(StandardCharsets.UTF_8));
      first.send("TEXT", "of this version");
      next.line("TEXT", "n-3", "\"message\":\"and on\",");

      List<TestServer> servers = List.of(one, two);
      List<ChatClient> members = List.of(first, second);
      for (ChatClient member : members) {
        assertThat(textOf(member, 7)).isEqualTo("of the next version");
      }
      for (int i = 0; i < members.size(); i++) {
        TestServer server = servers.get(i);
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(metrics(server)).containsPattern(TWO_PASSED_OVER));
        assertThat(members.get(i).isClosed()).isFalse();
      }
      next.line("TEXT", "n-4", "\"message\":\"the last\",");
      first.awaitType("TEXT", 7);
      second.awaitType("TEXT", 7);
    }
  }

  private static String metrics(TestServer server) throws IOException {
    return server.get("/metrics").body();
  }

  /** Returns its message, without the field that only its own version knows. */
  private static String textOf(ChatClient member, int user) {
    JsonObject frame = member.awaitType("TEXT", user);
    assertThat(frame.has("mood")).isFalse();
    return frame.get("message").getAsString();
  }

  /**
   * Publishes like a server of the next version, on its own lane, one confirmed entry after
   * another.
   */
  private static final class NextVersion {

    private static final long CONFIRM_MILLIS = 60_000;

    private final Lane lane = new Lane("next", System.currentTimeMillis(), SHARD.index());
    private final Channel channel;
    private long number;

    NextVersion(Connection connection) throws IOException {
      channel = connection.createChannel();
      channel.confirmSelect();
    }

    void line(String type, String id, String text)
        throws IOException, InterruptedException, TimeoutException {
      String line =
          """
          {"messageType":"%s","roomId":"%s","userId":"7","username":"user7",%s\
          "timestamp":"2026-11-20T18:46:00.123Z","messageId":"%s",\
          "serverTimestamp":"2026-11-20T18:46:00.125Z","serverId":"next","status":200,\
          "mood":"glad","session":"next-1","clientIp":"203.0.113.7","stamp":%d}\
          """
              .formatted(type, ROOM, text, id, lane.bootEpoch());
      publish(
          new AMQP.BasicProperties.Builder()
              .contentType("application/json")
              .messageId(id)
              .type(type),
          Map.of(),
          line.getBytes(StandardCharsets.UTF_8));
    }

    void kind(byte[] body) throws IOException, InterruptedException, TimeoutException {
      publish(
          new AMQP.BasicProperties.Builder().contentType("application/x-next"),
          Map.of(Headers.KIND, "next"),
          body);
    }

    private void publish(
        AMQP.BasicProperties.Builder properties, Map<String, Object> more, byte[] body)
        throws IOException, InterruptedException, TimeoutException {
      Map<String, Object> headers = new HashMap<>(more);
      headers.put(Lane.HEADER, lane.toString());
      headers.put(Lane.HEADER_NUMBER, number + 1);
      headers.put(Headers.READ, number); // confirmed, so it is in the log
      headers.put(Headers.TIME, System.currentTimeMillis());
      headers.put("x-next", "what nobody knows yet");
      number++;
      channel.basicPublish(
          Topology.EXCHANGE,
          Topology.routingKey(SHARD),
          properties.deliveryMode(Topology.PERSISTENT).headers(headers).build(),
          body);
      channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
    }
  }
}
