package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterReleaseTest {

  @ParameterizedTest
  @ValueSource(strings = {"4.0.6", "4.0.10", "4.1.0", "4.3.6", "5.0.0", "4.2.0-rc.1"})
  void fromThisReleaseOnSeveralNodesAreUsed(String version) {
    assertThat(ClusterRelease.unfit("RabbitMQ", version)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.10.8", "3.13.7", "4.0.5", "next"})
  void earlierOnesAreRefusedByNameWithTheReason(String version) {
    assertThat(ClusterRelease.unfit("RabbitMQ", version))
        .contains("RabbitMQ " + version, "need RabbitMQ 4.0.6 or later", "when its leader changes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Qpid", "null"})
  void anotherBrokerIsRefusedByName(String product) {
    assertThat(ClusterRelease.unfit(product, "10.1.0")).contains(product + " 10.1.0");
  }
}
