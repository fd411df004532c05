package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerReleaseTest {

  @ParameterizedTest
  @ValueSource(strings = {"4.0.6", "4.0.10", "4.1.0", "4.3.6", "5.0.0", "4.2.0-rc.1"})
  void fromThisReleaseOnSeveralNodesAreUsed(String version) {
    assertThat(BrokerRelease.unfit("RabbitMQ", version, Nodes.SEVERAL)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.10.8", "3.13.7", "4.0.5", "next"})
  void earlierOnesAreRefusedByNameWithTheReason(String version) {
    assertThat(BrokerRelease.unfit("RabbitMQ", version, Nodes.SEVERAL))
        .contains("RabbitMQ " + version, "need RabbitMQ 4.0.6 or later", "when its leader changes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Qpid", "null"})
  void anotherBrokerIsRefusedByName(String product) {
    assertThat(BrokerRelease.unfit(product, "10.1.0", Nodes.SEVERAL)).contains(product + " 10.1.0");
  }

  @ParameterizedTest
  @CsvSource({"RabbitMQ, 3.10.8", "RabbitMQ, 3.9.0", "RabbitMQ, 4.0.5", "Qpid, 10.1.0"})
  void oneNodeIsUsedWhereItKeepsLogs(String product, String version) {
    assertThat(BrokerRelease.unfit(product, version, Nodes.ONE)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.8.35", "3.6.6"})
  void oneNodeWithoutStreamsIsRefusedByNameWithTheReason(String version) {
    assertThat(BrokerRelease.unfit("RabbitMQ", version, Nodes.ONE))
        .isEqualTo(
            "this is RabbitMQ %s, and logs need streams: use RabbitMQ 3.9 or later (tested with"
                + " 3.10 and later)",
            version);
  }
}
