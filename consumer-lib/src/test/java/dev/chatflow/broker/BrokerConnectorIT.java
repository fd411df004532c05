package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector.State;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrokerConnectorIT {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @BrokerTest
  void connectsUnderItsName(TestBroker broker) throws Exception {
    try (BrokerConnector connector = connector(broker.config())) {
      Connection connection = connector.await(PATIENCE);
      assertThat(connection.getClientProvidedName()).isEqualTo("chatflow test consumer");
      assertThat(connector.state()).isEqualTo(State.OPEN);
      assertThat(connector.connection()).isSameAs(connection);
      assertThat(connector.reconnects()).isZero();
    }
  }

  @BrokerTest
  void aClosedConnectionIsMadeAgain(TestBroker broker) throws Exception {
    try (BrokerConnector connector = connector(broker.config())) {
      Connection first = connector.await(PATIENCE);
      broker.closeConnections();
      await().atMost(PATIENCE).until(() -> connector.reconnects() == 1);
      assertThat(connector.await(PATIENCE)).isNotSameAs(first);
      assertThat(first.isOpen()).isFalse();
      assertThat(connector.state()).isEqualTo(State.OPEN);
    }
  }

  @BrokerTest
  void aConnectionThatItsUserAbortsIsMadeAgain(TestBroker broker) throws Exception {
    try (BrokerConnector connector = connector(broker.config())) {
      Connection first = connector.await(PATIENCE);
      first.abort();
      await().atMost(PATIENCE).until(() -> connector.reconnects() == 1);
      assertThat(connector.await(PATIENCE)).isNotSameAs(first);
    }
  }

  @BrokerTest
  void aMissingBrokerIsFoundWhenItAppears(TestBroker broker) throws Exception {
    broker.goAway();
    try (BrokerConnector connector = connector(broker.config())) {
      await().until(() -> !connector.trouble().equals("not connected yet"));
      assertThat(connector.state()).isEqualTo(State.OPENING);
      assertThatThrownBy(() -> connector.await(Duration.ofMillis(10)))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining(connector.trouble());
      broker.comeBack();
      assertThat(connector.await(PATIENCE).isOpen()).isTrue();
      assertThat(connector.reconnects()).isZero();
    } finally {
      broker.comeBack();
    }
  }

  @BrokerTest
  void aWrongPasswordIsReportedWithoutShowingIt(TestBroker broker) throws Exception {
    URI good = broker.uri();
    URI wrong = URI.create(good.toString().replaceFirst("//([^:]*):[^@]*@", "//$1:not-this@"));
    try (BrokerConnector connector = connector(BrokerConfig.of(wrong))) {
      await().until(() -> !connector.trouble().equals("not connected yet"));
      assertThat(connector.trouble())
          .contains("refused user guest")
          .contains("check user, password and virtual host")
          .doesNotContain("not-this");
    }
  }

  @BrokerTest
  void aConnectorThatIsClosedConnectsNoMore(TestBroker broker) throws Exception {
    BrokerConnector connector = connector(broker.config());
    Connection connection = connector.await(PATIENCE);
    connector.close();
    assertThat(connection.isOpen()).isFalse();
    assertThat(connector.state()).isEqualTo(State.CLOSED);
    assertThat(connector.poll(PATIENCE)).isNull();
  }

  @Test
  void aPortWithoutListenerIsNamed() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    URI uri = URI.create("amqp://guest:secret@127.0.0.1:" + port);
    try (BrokerConnector connector = connector(BrokerConfig.of(uri))) {
      await().until(() -> !connector.trouble().equals("not connected yet"));
      assertThat(connector.trouble())
          .contains("127.0.0.1:" + port)
          .contains("Connection refused")
          .doesNotContain("secret");
    }
  }

  /**
   * Without the connector's shorter timeout the library would wait for 5 s, most of the time
   * allowed to find a lost broker again.
   */
  @Test
  void aBrokerThatAcceptsAndSaysNothingIsTriedAgainSoon() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(4_000);
      URI uri = URI.create("amqp://guest:guest@127.0.0.1:" + silent.getLocalPort());
      try (BrokerConnector connector = connector(BrokerConfig.of(uri));
          Socket first = silent.accept();
          Socket second = silent.accept()) {
        assertThat(second.getPort()).isNotEqualTo(first.getPort());
        assertThat(connector.state()).isEqualTo(State.OPENING);
      }
    }
  }

  @Test
  void ofSeveralAddressesEachIsTried() throws Exception {
    try (ServerSocket one = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        ServerSocket two = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      one.setSoTimeout((int) PATIENCE.toMillis());
      two.setSoTimeout((int) PATIENCE.toMillis());
      String hosts = "127.0.0.1:" + one.getLocalPort() + ",127.0.0.1:" + two.getLocalPort();
      try (BrokerConnector connector =
              connector(BrokerConfig.parse("amqp://guest:secret@" + hosts));
          Socket first = one.accept();
          Socket second = two.accept()) {
        assertThat(first.isConnected() && second.isConnected()).isTrue();
        await().until(() -> connector.trouble().contains(hosts + " at 127.0.0.1:"));
        assertThat(connector.trouble()).doesNotContain("secret");
      }
    }
  }

  @Test
  void aBrokerThatCannotBeAClusterIsRefusedByName() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      String uri = broker.uri().toString();
      int elsewhere;
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        elsewhere = socket.getLocalPort();
      }
      BrokerConfig config = BrokerConfig.parse(uri + ",127.0.0.1:" + elsewhere);
      try (BrokerConnector connector = connector(config)) {
        await()
            .untilAsserted(() ->
                assertThat(connector.trouble())
                    .contains(
                        ":" + broker.uri().getPort() + ": this is ",
                        "several addresses need RabbitMQ 4.0.6 or later"));
        assertThat(connector.connection()).isNull();
      }
    }
  }

  private static BrokerConnector connector(BrokerConfig config) throws BrokerException {
    BrokerConnector connector = new BrokerConnector(config, "test", "chatflow test consumer");
    connector.start();
    return connector;
  }
}
