package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Phase;
import org.junit.jupiter.api.Test;

/** Tests pools with fewer connections than users. */
final class PoolTest {
  private final Scene scene =
      new Scene(new TestPlan().rooms(1, 12).texts(3).poolSize(4).pacing(Pacing.closed(1)));
  private final Pool pool = new Pool(scene.users(), 4, 1_000);

  @Test
  void usersTakeTurnsWithinTheSizeOfThePool() {
    scene.enter(Phase.MAIN);
    int ticks = 0;
    while (!pool.tick(scene.context.now()) && ticks++ < 1_000) {
      scene.pass(1);
    }
    assertThat(scene.users()).allMatch(User::isDisconnected);
    assertThat(scene.chat.upgrades()).isEqualTo(12);
    assertThat(scene.chat.mostOpen()).isEqualTo(4);
    assertThat(scene.chat.received().stream().filter("TEXT"::equals)).hasSize(36);
    assertThat(scene.chat.received().stream().filter("LEAVE"::equals)).hasSize(12);
  }

  @Test
  void slotOfAUserThatGaveUpGoesToTheNext() {
    scene.chat.refuseUpgrades("HTTP/1.1 404 Not Found", 3);
    scene.enter(Phase.MAIN);
    int ticks = 0;
    while (!pool.tick(scene.context.now()) && ticks++ < 1_000) {
      scene.pass(1);
    }
    assertThat(scene.users().stream().filter(user -> user.state() == UserState.LOST)).hasSize(3);
    assertThat(scene.chat.upgrades()).isEqualTo(12);
  }
}
