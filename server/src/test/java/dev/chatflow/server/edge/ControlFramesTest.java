package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlFramesTest {

  private static final long SECOND = 1_000_000_000;

  private final ControlFrames control = new ControlFrames(10, 0);

  @Test
  void rateAndASecondsWorthAndTwentyAreNoFlood() {
    assertThat(control.isFlood(40, SECOND)).isFalse();
    assertThat(control.isFlood(50, 2 * SECOND)).isFalse();
    assertThat(control.isFlood(60, 3 * SECOND)).as("so for ever").isFalse();
    assertThat(control.isFlood(71, 4 * SECOND)).as("one more").isTrue();
  }

  @Test
  void littleMoreThanTheRateIsOneInTheEnd() {
    int seconds = 1;
    while (!control.isFlood(11L * seconds, seconds * SECOND)) {
      seconds++;
    }
    assertThat(seconds).isEqualTo(31);
  }

  @Test
  void quietTimeIsNotSaved() {
    assertThat(control.isFlood(0, 60 * SECOND)).isFalse();
    assertThat(control.isFlood(41, 61 * SECOND)).isTrue();
  }

  @Test
  void messagesHaveARateOfTheirOwn() {
    for (int i = 0; i < 1_000; i++) {
      control.piece();
    }
    assertThat(control.isFlood(1_010, SECOND)).isFalse();
    assertThat(control.isFlood(1_061, 2 * SECOND)).isTrue();
  }

  @Test
  void containerThatHidesItsCountIsNotJudged() {
    control.piece();
    assertThat(control.isFlood(0, SECOND)).isFalse();
  }
}
