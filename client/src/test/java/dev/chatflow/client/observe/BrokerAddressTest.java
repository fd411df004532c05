package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerAddressTest {
  @Test
  void managementUrlIsDerivedFromTheAmqpUrl() {
    BrokerAddress address = BrokerAddress.parse("amqp://me:p%40ss@mq:5673/%2Fchat#15673");
    assertThat(address.user()).isEqualTo("me");
    assertThat(address.password()).isEqualTo("p@ss");
    assertThat(address.virtualHost()).isEqualTo("/chat");
    assertThat(address.management()).hasToString("http://mq:15673");
    assertThat(BrokerAddress.parse("amqp://mq").management()).hasToString("http://mq:15672");
    assertThat(BrokerAddress.parse("amqp://mq").virtualHost()).isEqualTo("/");
  }

  @Test
  void passwordIsNotPrinted() {
    assertThat(BrokerAddress.parse("amqp://me:secret@mq:5672")).hasToString("amqp://mq:5672");
    assertThat(BrokerAddress.parse("http://me:secret@mq:15672")).hasToString("http://mq:15672");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mq", "ftp://me:secret@mq", "amqp://me:secret@mq#x", "amqp://me:secret@"})
  void invalidUrlIsRejectedWithoutItsPassword(String url) {
    assertThatThrownBy(() -> BrokerAddress.parse(url))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--broker must be")
        .hasMessageNotContaining("secret");
  }
}
