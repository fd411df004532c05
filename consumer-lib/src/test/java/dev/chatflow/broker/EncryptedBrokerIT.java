package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connects to a broker with TLS, whose certificate names only localhost. */
class EncryptedBrokerIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static EmbeddedBroker broker;
  private static TlsFront front;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start();
    front = TlsFront.to(broker.uri().getPort());
  }

  @AfterAll
  static void stop() throws IOException {
    front.close();
    broker.close();
  }

  private static BrokerConnector connector(String host, @Nullable Path authorities)
      throws BrokerException {
    URI uri =
        URI.create("amqps://%s@%s:%d".formatted(broker.uri().getUserInfo(), host, front.port()));
    BrokerConnector connector =
        new BrokerConnector(
            BrokerConfig.of(uri).vouchedForBy(authorities), "consumer", "chatflow test");
    connector.start();
    return connector;
  }

  @Test
  void brokerWithTheRightAuthorityAndNameIsAccepted() throws Exception {
    try (BrokerConnector connector = connector("localhost", front.certificate())) {
      assertThat(connector.await(PATIENCE).isOpen()).isTrue();
    }
  }

  @Test
  void brokerUnderAnotherNameIsRefused() throws Exception {
    try (BrokerConnector connector = connector("127.0.0.1", front.certificate())) {
      await().atMost(PATIENCE).until(() -> connector.trouble().contains("CHATFLOW_AMQP_CA"));
      assertThat(connector.state()).isEqualTo(BrokerConnector.State.OPENING);
    }
  }

  @Test
  void brokerWithAnUntrustedCertificateIsRefused() throws Exception {
    try (BrokerConnector connector = connector("localhost", null)) {
      await().atMost(PATIENCE).until(() -> connector.trouble().contains("CHATFLOW_AMQP_CA"));
      assertThat(connector.state()).isEqualTo(BrokerConnector.State.OPENING);
    }
  }

  @Test
  void fileWithoutACertificateIsNamed(@TempDir Path directory) throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    assertThatThrownBy(() -> BrokerAuthorities.context(empty))
        .isInstanceOf(CertificateException.class)
        .hasMessage("no certificate in it");
  }
}
