package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which rooms exist, and how many members they have. */
class RoomsTest {

  private final RoomScene scene = new RoomScene();

  @Test
  void membersOfManyRoomsDoNotMix() {
    FakeMember a = scene.join("5", 1);
    FakeMember b = scene.join("6", 2);
    scene.say("5", 1, "for five");
    scene.say("6", 2, "for six");

    scene.runAll();

    assertThat(a.texts()).containsExactly("JOIN 1 s1", "for five");
    assertThat(b.texts()).containsExactly("JOIN 2 s2", "for six");
    assertThat(scene.rooms().all())
        .extracting(Room::id)
        .containsExactlyInAnyOrder(new RoomId("5"), new RoomId("6"));
  }

  @Test
  void roomGoesWithItsLastMember() {
    scene.join("1", 1);
    scene.leave("1", 1, "s1");
    scene.tick();
    assertThat(scene.rooms().all()).as("the LEAVE is not written yet").hasSize(1);

    scene.runAll();
    scene.tick();

    assertThat(scene.rooms().all()).isEmpty();
  }

  /** Its connections are closed; a LEAVE that will never come must not keep the room. */
  @Test
  void roomWhoseShardWasLostGoesWithItsConnections() {
    FakeMember lost = scene.join("1", 1);
    FakeMember other = scene.join("2", 2);
    scene.runAll();

    scene.rooms().forget(new Shard(1));
    lost.sink().close();
    other.sink().close();
    scene.tick();

    assertThat(scene.rooms().all()).extracting(Room::id).containsExactly(new RoomId("2"));
  }

  @Test
  void roomWithASilentMemberIsKept() {
    scene.join("1", 1);
    scene.runAll();

    scene.tickAfter(Duration.ofMinutes(10));

    assertThat(scene.rooms().all()).hasSize(1);
    assertThat(scene.rooms().room(new RoomId("1"))).isSameAs(scene.rooms().all().iterator().next());
  }

  @Test
  void tickCountsTheMembersOfEachShard() {
    scene.join("1", 1);
    scene.join("1", 2);
    scene.join("5", 3);
    scene.join("2", 4);

    scene.tick();

    assertThat(scene.rooms().memberCount(new Shard(1))).isEqualTo(3);
    assertThat(scene.rooms().memberCount(new Shard(2))).isEqualTo(1);
    assertThat(scene.rooms().memberCount(new Shard(0))).isZero();
  }

  @Test
  void boundsAreChecked() {
    long log = RoomScene.LOG;
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new RoomsConfig(0, log, log, 0, 1, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shards");
    assertThatThrownBy(() -> new RoomsConfig(4, 1024, log, 0, 1, second))
        .hasMessageContaining("roomLogBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, log, log - 1, 0, 1, second))
        .hasMessageContaining("totalLogBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, log, log, 0, 0, second))
        .hasMessageContaining("maxLagBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, log, log, 0, 1, Duration.ZERO))
        .hasMessageContaining("sendDeadline");
  }
}
