package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LimitsTest {
  private final Limits limits = new Limits(2_000, 1_500);

  @Test
  void whatFitsHasNoObstacle() {
    assertThat(limits.obstacles(1_500, 1)).isEmpty();
    assertThat(limits.line(1_000))
        .isEqualTo(
            "1,064 of 2,000 file descriptors, 1,000 of 1,500 local ports per server address");
  }

  @Test
  void obstaclesNameTheCommandThatMendsThem() {
    assertThat(limits.obstacles(1_501, 1))
        .singleElement()
        .asString()
        .contains("ip_local_port_range");
    assertThat(limits.obstacles(2_000, 2)).singleElement().asString().contains("ulimit -n 2064");
    assertThat(limits.obstacles(4_000, 2)).hasSize(2);
  }

  @Test
  void thisMachineHasLimits() {
    assertThat(Limits.here().localPorts()).isPositive();
    assertThat(Limits.here().descriptors()).isPositive();
  }
}
