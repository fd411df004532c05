package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.record.Count;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChurnTest {
  private static final long SECOND = 1_000_000_000;
  private static final Disturbance TENTH = new Disturbance(0.1, Duration.ofSeconds(2), 0, 0, true);

  private final Scene scene =
      new Scene(new TestPlan().rooms(1, 20).texts(0).disturbance(TENTH)).joined();

  @Test
  void shareOfTheConnectionsIsDroppedAtEachPeriod() {
    Churn churn = new Churn(scene.users(), TENTH, 1);
    churn.tick(SECOND);
    assertThat(dropped()).isZero();
    churn.tick(2 * SECOND);
    churn.tick(2 * SECOND + 1);
    assertThat(dropped()).isEqualTo(2);
    scene.pass(500);
    churn.tick(4 * SECOND);
    assertThat(dropped()).isEqualTo(4);
  }

  @Test
  void sameSeedDropsTheSameUsers() {
    new Churn(scene.users(), TENTH, 5).tick(2 * SECOND);
    Scene other = new Scene(new TestPlan().rooms(1, 20).texts(0).disturbance(TENTH)).joined();
    new Churn(other.users(), TENTH, 5).tick(2 * SECOND);
    assertThat(disconnected(scene)).isEqualTo(disconnected(other)).hasSize(2);
  }

  @Test
  void withoutChurnNothingIsDropped() {
    new Churn(scene.users(), Disturbance.NONE, 1).tick(100 * SECOND);
    assertThat(dropped()).isZero();
  }

  private long dropped() {
    return scene.context.tally.of(Count.DROPPED);
  }

  private static List<Integer> disconnected(Scene scene) {
    return scene.users().stream()
        .filter(user -> !user.isJoined())
        .map(user -> user.member().index)
        .toList();
  }
}
