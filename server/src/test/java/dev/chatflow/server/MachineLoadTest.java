package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The load is a share of the CPU. */
class MachineLoadTest {

  @Test
  void loadIsAShare() {
    assertThat(Stream.generate(MachineLoad::now).limit(3))
        .allSatisfy(load -> assertThat(load).isBetween(0.0, 1.0));
  }
}
