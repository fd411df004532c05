package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

final class BacklogTest {
  @Test
  void growthOfTheLastThirdCounts() {
    assertThat(Backlog.growthPerSecond(points(t -> t < 20 ? 5 : 150 * (t - 20))))
        .isCloseTo(150, within(1e-6));
  }

  @Test
  void steadyBacklogDoesNotGrowDespiteEarlierGrowth() {
    assertThat(Backlog.growthPerSecond(points(t -> t < 15 ? 900 * t : 4_000)))
        .isCloseTo(0, within(1e-6));
  }

  @Test
  void fewPointsShowNoGrowth() {
    assertThat(Backlog.growthPerSecond(points(t -> t).subList(0, 6))).isZero();
  }

  private static List<Backlog.Point> points(DoubleUnaryOperator inFlight) {
    List<Backlog.Point> points = new ArrayList<>();
    for (int second = 0; second < 30; second++) {
      points.add(new Backlog.Point(second, inFlight.applyAsDouble(second)));
    }
    return points;
  }
}
