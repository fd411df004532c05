package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackOffTest {

  private static List<Integer> next(BackOff backOff, int count) {
    return Stream.generate(backOff::nextMillis).limit(count).toList();
  }

  @Test
  void waitsDoubleUpToTheBoundAndRestartAfterAReset() {
    BackOff backOff = new BackOff(10, 320);
    assertThat(next(backOff, 7)).containsExactly(10, 20, 40, 80, 160, 320, 320);
    backOff.reset();
    assertThat(next(backOff, 2)).containsExactly(10, 20);
  }

  @Test
  void theFirstTryMayComeAtOnce() {
    BackOff backOff = BackOff.atOnceThen(200, 1_000);
    assertThat(next(backOff, 6)).containsExactly(0, 200, 400, 800, 1_000, 1_000);
    backOff.reset();
    assertThat(backOff.nextMillis()).isZero();
  }

  @Test
  void waitsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new BackOff(0, 1)).hasMessageContaining("0 to 1 ms");
    assertThatThrownBy(() -> new BackOff(2, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
