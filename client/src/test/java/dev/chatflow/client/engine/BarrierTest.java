package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that JOINs and LEAVEs are sent one after the other, so that the number of their copies is
 * exact.
 */
final class BarrierTest {
  private final Scene scene = new Scene(new TestPlan().rooms(1, 4).texts(0));

  @BeforeEach
  void connect() {
    scene.users().forEach(user -> user.connect(scene.context.now()));
    scene.pass(5);
    scene.enter(Phase.JOIN);
  }

  private boolean joinTick() {
    return scene.room.joinTick(scene.context.now());
  }

  @Test
  void nextUserJoinsAfterAllMembersReceivedTheLastJoin() {
    assertThat(joinTick()).isFalse();
    assertThat(joinTick()).isFalse();
    assertThat(scene.chat.received()).hasSize(1);
    for (int joined = 1; joined < 4; joined++) {
      scene.pass(1);
      assertThat(joinTick()).isFalse();
      assertThat(scene.chat.received()).hasSize(joined + 1);
    }
    scene.pass(1);
    assertThat(joinTick()).isTrue();
    assertThat(scene.count(Count.JOIN_DELIVERIES)).isEqualTo(1 + 2 + 3 + 4);
  }

  @Test
  void lostJoinDelaysTheNextOneOnlyForTheTimeout() {
    scene.chat.swallow(json -> json.get("userId").getAsString().equals("1"));
    assertThat(joinTick()).isFalse();
    scene.pass(9_990);
    assertThat(joinTick()).isFalse();
    assertThat(scene.chat.received()).hasSize(1);
    scene.pass(20);
    assertThat(joinTick()).isFalse();
    assertThat(scene.chat.received()).hasSize(2);
  }

  /**
   * Loads with rooms of 1,000 used to wait the whole timeout for each JOIN that other members never
   * receive.
   */
  @Test
  void barrierOfAQuietRoomWaitsOnlyForTheJoiningOrLeavingUser() {
    scene.chat.quietFrom(3);
    long began = scene.context.now();
    while (!joinTick()) {
      scene.pass(1);
    }
    assertThat(scene.count(Count.JOIN_DELIVERIES)).isEqualTo(1 + 2 + 1 + 1);
    assertThat(scene.count(Count.QUIET_COPIES)).isEqualTo(2 + 3);
    scene.enter(Phase.LEAVE);
    while (!scene.room.leaveTick(scene.context.now())) {
      scene.pass(1);
    }
    assertThat(scene.count(Count.LEAVE_DELIVERIES)).isEqualTo(1 + 1 + 2 + 1);
    assertThat(scene.count(Count.QUIET_COPIES)).isEqualTo(2 + 3 + 3 + 2);
    assertThat(scene.context.now() - began).isLessThan(50_000_000);
  }

  @Test
  void usersWithoutAConnectionAreSkipped() {
    scene.connectionOf(1).end(1006, "cut");
    while (!joinTick()) {
      scene.pass(1);
    }
    assertThat(scene.users().stream().filter(User::isJoined)).hasSize(3);
    assertThat(scene.count(Count.JOIN_DELIVERIES)).isEqualTo(1 + 2 + 3);
  }

  @Test
  void leavesAreReceivedByRemainingMembersAndTheLeaver() {
    while (!joinTick()) {
      scene.pass(1);
    }
    scene.enter(Phase.LEAVE);
    while (!scene.room.leaveTick(scene.context.now())) {
      scene.pass(1);
    }
    assertThat(scene.count(Count.LEAVE_DELIVERIES)).isEqualTo(4 + 3 + 2 + 1);
    assertThat(scene.users())
        .allSatisfy(user -> assertThat(user.state()).isEqualTo(UserState.LEFT));
  }
}
