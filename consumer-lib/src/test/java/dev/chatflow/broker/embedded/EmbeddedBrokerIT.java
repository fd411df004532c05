package dev.chatflow.broker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedBrokerIT {

  private static EmbeddedBroker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  /** In Turkish the capital of i is not I, and in Arabic digits differ. */
  @ParameterizedTest
  @ValueSource(strings = {"tr", "az", "lt", "ar"})
  void startsUnderEachLocale(String language) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it runs for seconds
                "-Duser.language=" + language,
                "-cp",
                System.getProperty("java.class.path"),
                Started.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(output).contains("started amqp://");
  }

  /** A process that only starts a broker. */
  static final class Started {

    private Started() {}

    public static void main(String[] arguments) throws Exception {
      try (EmbeddedBroker started = EmbeddedBroker.start()) {
        System.out.println("started " + started.uri().getScheme() + "://");
      }
      System.exit(0);
    }
  }

  @Test
  void carriesMessagesWithConfirms() throws Exception {
    try (Connection connection = connect(broker.uri());
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("carried", true, false, false, Map.of());
      channel.confirmSelect();
      channel.basicPublish(
          "",
          "carried",
          MessageProperties.PERSISTENT_BASIC,
          "hello".getBytes(StandardCharsets.UTF_8));
      assertThat(channel.waitForConfirms(5_000)).isTrue();
      await().until(() -> channel.basicGet("carried", true) != null);
    }
  }

  /** An entry costs about a kilobyte of the server's heap, however small it is. */
  @Test
  void aLogOfTheSmallestEntriesHoldsNoMoreThanItMay() throws Exception {
    Shard shard = new Shard(0);
    try (Connection connection = connect(broker.uri());
        Channel channel = connection.createChannel()) {
      Topology.declareShared(connection, 4, Nodes.ONE);
      Topology.declareLog(connection, shard, Nodes.ONE);
      channel.confirmSelect();
      for (int i = 0; i < Topology.RING_ENTRIES + 100; i++) {
        channel.basicPublish(Topology.EXCHANGE, Topology.routingKey(shard), null, new byte[1]);
      }
      channel.waitForConfirmsOrDie(60_000);
      assertThat(Topology.depth(connection, Topology.log(shard))).isEqualTo(Topology.RING_ENTRIES);
    }
  }

  @Test
  void listensOnLoopbackWithTheVirtualHostSlash() throws Exception {
    assertThat(broker.uri().getHost()).isEqualTo("127.0.0.1");
    try (Connection connection = connect(URI.create(broker.uri() + "/%2f"))) {
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void ignoresUnknownQueueArguments() throws Exception {
    try (Connection connection = connect(broker.uri());
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("with-arguments", true, false, false, Map.of("x-expires", 1_000));
      assertThat(channel.isOpen()).isTrue();
    }
  }

  @Test
  void allowsAsManyChannelsAsRabbit() throws Exception {
    try (Connection connection = connect(broker.uri())) {
      assertThat(connection.getChannelMax()).isEqualTo(2_047);
    }
  }

  @Test
  void closesConnectionsOnDemand() throws Exception {
    Connection connection = connect(broker.uri());
    new EmbeddedFaults(broker).closeConnections();
    await().until(() -> !connection.isOpen());
  }

  @Test
  void portClosesAndOpensAgain() throws Exception {
    new EmbeddedFaults(broker).closePort();
    try { // for a moment the kernel still accepts connections
      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> connect(broker.uri())).isInstanceOf(ConnectException.class));
    } finally {
      new EmbeddedFaults(broker).openPort();
    }
    try (Connection connection = connect(broker.uri())) {
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void deletesAQueueOnDemand() throws Exception {
    try (Connection connection = connect(broker.uri())) {
      connection.createChannel().queueDeclare("deleted", true, false, false, Map.of());
      new EmbeddedFaults(broker).deleteQueue("deleted");
      assertThat(exists(connection, "deleted")).isFalse();
    }
  }

  private static boolean exists(Connection connection, String queue) throws Exception {
    Channel channel = connection.createChannel();
    try {
      channel.queueDeclarePassive(queue);
      channel.close();
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static Connection connect(URI uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection();
  }
}
