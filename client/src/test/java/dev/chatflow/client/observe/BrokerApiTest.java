package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.fake.FakePages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the client of the management API against fake pages. */
final class BrokerApiTest {
  private static final Pattern ALL = Pattern.compile(".*");

  private final FakePages pages = new FakePages();
  private final BrokerAddress address =
      BrokerAddress.parse(pages.url("").replace("://", "://me:secret@"));
  private final BrokerApi api = new BrokerApi(address, null);

  @AfterEach
  void close() {
    api.close();
    pages.close();
  }

  @Test
  void queuesAreChosenByName() throws Exception {
    pages.put(
        "/api/queues//",
        """
        [{"name": "chat.0", "messages_ready": 5, "messages_unacknowledged": 2},
         {"name": "chat.1", "messages_ready": 7},
         {"name": "other", "messages_ready": 100}]
        """);
    List<JsonObject> queues = api.queues(Pattern.compile("chat\\..*"));
    assertThat(queues).hasSize(2);
    assertThat(BrokerApi.sum(queues, "messages_ready")).isEqualTo(12);
    assertThat(BrokerApi.sum(queues, "messages_unacknowledged")).isEqualTo(2);
    assertThat(BrokerApi.sum(queues, "consumers")).as("no queue reports it").isNaN();
    assertThat(api.queues(ALL)).hasSize(3);
  }

  @Test
  void streamsAreDistinguishedFromQueues() throws Exception {
    pages.put(
        "/api/queues//",
        """
        [{"name": "chat.log.0", "type": "stream"}, {"name": "other.queue", "type": "classic"},
         {"name": "without a type"}]
        """);
    assertThat(api.queues(ALL)).map(BrokerApi::isStream).containsExactly(true, false, false);
  }

  @Test
  void unacknowledgedMessagesAreSummedOverChannels() throws Exception {
    pages.put(
        "/api/vhosts///channels",
        """
        [{"messages_unacknowledged": 64}, {"messages_unacknowledged": 7}, {}]
        """);
    assertThat(api.unacknowledged()).isEqualTo(71);
  }

  @Test
  void countersCoverTheVirtualHostAndEachQueue() throws Exception {
    pages.put(
        "/api/queues//",
        """
        [{"name": "a", "message_stats": {"deliver_get": 41, "ack": 40}},
         {"name": "b", "message_stats": {"deliver_get": 1}},
         {"name": "idle"}]
        """);
    pages.put(
        "/api/vhosts",
        """
        [{"name": "other", "message_stats": {"publish": 9}},
         {"name": "/", "message_stats": {"publish": 1358}}]
        """);
    assertThat(api.counters(api.queues(ALL)))
        .isEqualTo(Map.of("publish", 1_358.0, "deliver/a", 41.0, "ack/a", 40.0, "deliver/b", 1.0));
  }

  @Test
  void inaccessibleVirtualHostIsNamed() {
    pages.put("/api/vhosts", "[]");
    assertThatThrownBy(() -> api.counters(List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("this user must not read the virtual host /");
  }

  @Test
  void alarmsAndBlockedConnectionsAreFound() throws Exception {
    pages.put(
        "/api/nodes",
        """
        [{"name": "rabbit@one", "mem_alarm": true, "disk_free_alarm": false},
         {"name": "rabbit@two", "mem_alarm": false, "disk_free_alarm": true}]
        """);
    pages.put(
        "/api/connections",
        """
        [{"state": "running"}, {"state": "blocked"}, {"state": "blocking"}, {}]
        """);
    assertThat(api.alarms())
        .containsExactly("rabbit@one: mem_alarm", "rabbit@two: disk_free_alarm");
    assertThat(api.blocked()).isEqualTo(2);
  }

  @Test
  void portOfTheAmqpListenerIsReadFromTheOverview() throws Exception {
    pages.put(
        "/api/overview",
        """
        {"listeners": [{"protocol": "http", "port": 15672}, {"protocol": "amqp", "port": 5699}]}
        """);
    assertThat(api.amqpPort()).isEqualTo(5_699);
    pages.put("/api/overview", "{\"listeners\": []}");
    assertThatThrownBy(api::amqpPort).hasMessage("the management API reports no AMQP listener");
  }

  @Test
  void invalidResponsesNameThePage() {
    assertThatThrownBy(api::overview).hasMessage("HTTP 404 from /api/overview");
    pages.put("/api/overview", "<html>no");
    assertThatThrownBy(api::overview).hasMessage("no JSON from /api/overview");
  }

  /** The embedded broker has no such API, so the error names the page to observe instead. */
  @Test
  void errorForABrokerWithoutAManagementApiNamesTheAlternatives() {
    pages.put("/", "something else");
    assertThatThrownBy(() ->
            watch(pages.url("").replace("http:", "amqp:").replace("127.0.0.1:", "127.0.0.1#")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContainingAll(
            "--broker amqp://127.0.0.1",
            "HTTP 404 from /api/overview",
            "rabbitmq_management",
            "The embedded broker has none: --broker takes the metrics page of its server",
            "http://localhost:8081/metrics")
        .hasMessageNotContaining("null");
  }

  @Test
  void unreachableManagementApiIsReportedAsRefused() {
    String closed = pages.url("");
    pages.close();
    assertThatThrownBy(() -> watch(closed))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("connection refused")
        .hasMessageNotContaining("null");
  }

  @Test
  void errorForABrokerWithoutAmqpNamesAmqp() {
    pages.put("/api/overview", "{\"product_name\": \"RabbitMQ\", \"rabbitmq_version\": \"4.0\"}");
    String url = pages.url("");
    String amqp = "amqp://127.0.0.1:1#" + url.substring(url.lastIndexOf(':') + 1);
    assertThatThrownBy(() -> watch(amqp))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("--broker amqp://127.0.0.1:1 cannot be observed over AMQP: ")
        .hasMessageContaining("connection refused");
  }

  private static void watch(String url) throws InterruptedException {
    List<String> complaints = new ArrayList<>();
    Observing.Broker target = new Observing.Broker(BrokerAddress.parse(url), ALL);
    new BrokerWatch(target, null, () -> 0, complaints::add).close();
  }
}
