package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import org.junit.jupiter.api.Test;

final class ConnectsTest {
  private static final long MILLI = 1_000_000;

  private final Scene scene = new Scene(new TestPlan().rooms(1, 10).retries(0));
  private final Connects connects = new Connects(scene.users(), 100);

  @Test
  void connectionsAreOpenedAtTheGivenRate() {
    assertThat(tick(0, false)).isFalse();
    assertThat(scene.chat.upgrades()).isEqualTo(1);
    tick(35, false);
    assertThat(scene.chat.upgrades()).as("one every ten milliseconds").isEqualTo(4);
    tick(1_000, false);
    assertThat(scene.chat.upgrades()).isEqualTo(10);
  }

  @Test
  void phaseEndsWhenEveryUserIsConnectedOrHasGivenUp() {
    scene.chat.refuseUpgrades("HTTP/1.1 503 Service Unavailable", 3);
    assertThat(tick(1_000, false)).isFalse();
    scene.pass(5);
    assertThat(tick(1_000, false)).isTrue();
    assertThat(scene.chat.open()).hasSize(7);
  }

  @Test
  void stoppedRunOpensNoFurtherConnection() {
    tick(25, false);
    assertThat(tick(1_000, true)).isTrue();
    assertThat(scene.chat.upgrades()).isEqualTo(3);
  }

  private boolean tick(long millis, boolean stopped) {
    return connects.tick(millis * MILLI, scene.context.now(), stopped);
  }
}
