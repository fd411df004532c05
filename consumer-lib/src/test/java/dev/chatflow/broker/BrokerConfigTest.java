package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {

  @Test
  void thePasswordIsNeverShown() {
    BrokerConfig config = BrokerConfig.of(URI.create("amqp://chat:secret@broker:5672/prod"));
    assertThat(config.maskedUri()).isEqualTo("amqp://chat:***@broker:5672/prod");
    assertThat(config).hasToString(config.maskedUri());
  }

  @Test
  void anotherSchemeIsRefusedWithoutShowingThePassword() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.of(URI.create("http://chat:secret@broker")))
        .withMessageContaining("amqp://")
        .withMessageContaining("chat:***@broker");
  }

  @Test
  void aHostMustBeNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.of(URI.create("amqp:///prod")))
        .withMessageContaining("names no host");
  }
}
