package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class LimitsTest {
  private final Limits limits = new Limits(2_000, 1_500);

  @Test
  void sufficientLimitsAreAccepted() {
    limits.require(1_500, 1);
    assertThat(limits.line(1_000))
        .isEqualTo(
            "1,064 of 2,000 file descriptors, 1,000 of 1,500 local ports per server address");
  }

  @Test
  void errorsNameTheCommandThatRaisesTheLimit() {
    assertThatThrownBy(() -> limits.require(1_501, 1))
        .hasMessageContaining("ip_local_port_range")
        .hasMessageNotContaining("ulimit");
    assertThatThrownBy(() -> limits.require(2_000, 2)).hasMessageContaining("ulimit -n 2064");
    assertThatThrownBy(() -> limits.require(4_000, 2))
        .hasMessageContainingAll("ulimit -n 4064", "ip_local_port_range");
  }

  @Test
  void thisMachineHasLimits() {
    assertThat(Limits.here().localPorts()).isPositive();
    assertThat(Limits.here().descriptors()).isPositive();
  }
}
