package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReaderConfigTest {

  private static ReaderConfig ring(long bytes, int entries) {
    return new ReaderConfig(
        4, 64, WindowBounds.STREAM, WindowBounds.RING, bytes, entries, Duration.ofMinutes(1));
  }

  @Test
  void smallEntriesTakeTheirPartOfTheNumberAndLargeOnesTheirBytes() {
    ReaderConfig config = ring(1_000, 10);
    assertThat(config.ringShare(1)).isEqualTo(100);
    assertThat(config.ringShare(100)).isEqualTo(100);
    assertThat(config.ringShare(101)).isEqualTo(101);
  }

  @Test
  void aRingHoldsSomething() {
    assertThatThrownBy(() -> ring(1_000, 0)).hasMessageContaining("not 0 of 1000");
    assertThatThrownBy(() -> ring(0, 10)).hasMessageContaining("not 10 of 0");
  }
}
