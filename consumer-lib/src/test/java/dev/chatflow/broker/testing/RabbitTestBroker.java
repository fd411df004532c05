package dev.chatflow.broker.testing;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A separate virtual host on a running RabbitMQ, created and deleted by this object. */
final class RabbitTestBroker implements TestBroker {

  /** The management API lists a new connection only after a while. */
  private static final Duration LISTED = Duration.ofSeconds(10);

  private static final Duration UNLISTED = Duration.ofSeconds(6);

  private final ManagementApi api;
  private final JsonObject overview;
  private final String virtualHost;

  private RabbitTestBroker(ManagementApi api, JsonObject overview, String virtualHost) {
    this.api = api;
    this.overview = overview;
    this.virtualHost = virtualHost;
  }

  /**
   * Creates a virtual host.
   *
   * @param management URL of the management API, with user and password
   */
  static RabbitTestBroker start(URI management) {
    ManagementApi api = new ManagementApi(management);
    JsonObject overview = api.get("overview").getAsJsonObject();
    String virtualHost = "chatflow-test-" + UUID.randomUUID();
    api.put("vhosts/" + virtualHost, "{}");
    return new RabbitTestBroker(api, overview, virtualHost);
  }

  @Override
  public String name() {
    return "RabbitMQ " + overview.get("rabbitmq_version").getAsString();
  }

  @Override
  public URI uri() {
    return URI.create(
        "amqp://" + api.userInfo() + "@" + api.host() + ":" + amqpPort() + "/" + virtualHost);
  }

  private int amqpPort() {
    for (JsonElement listener : overview.getAsJsonArray("listeners")) {
      if (listener.getAsJsonObject().get("protocol").getAsString().equals("amqp")) {
        return listener.getAsJsonObject().get("port").getAsInt();
      }
    }
    throw new IllegalStateException(name() + " has no AMQP listener");
  }

  @Override
  public int connections() {
    return connectionNames().size();
  }

  @Override
  public void closeConnections() {
    await().atMost(LISTED).until(() -> !connectionNames().isEmpty());
    connectionNames().forEach(name -> api.delete("connections/" + name));
  }

  private List<String> connectionNames() {
    return api.get("vhosts/" + virtualHost + "/connections").getAsJsonArray().asList().stream()
        .map(connection -> connection.getAsJsonObject().get("name").getAsString())
        .map(ManagementApi::encoded)
        .toList();
  }

  @Override
  public void goAway() {
    api.put("vhost-limits/" + virtualHost + "/max-connections", "{\"value\":0}");
    // A young connection is not listed yet: any that appears within this time is ended too.
    await().atMost(LISTED).during(UNLISTED).until(this::endListed);
  }

  private boolean endListed() {
    connectionNames().forEach(name -> api.delete("connections/" + name));
    return true;
  }

  @Override
  public void comeBack() {
    api.delete("vhost-limits/" + virtualHost + "/max-connections");
  }

  @Override
  public void deleteQueue(String queue) {
    api.delete("queues/" + virtualHost + "/" + ManagementApi.encoded(queue));
  }

  @Override
  public boolean knowsQueueArguments() {
    return true;
  }

  @Override
  public void close() {
    api.delete("vhosts/" + virtualHost);
    api.close();
  }

  @Override
  public String toString() {
    return name();
  }
}
