package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The frames that a connection gets of its memberships: from its JOIN frame to its LEAVE frame. */
class RoomMembershipTest {

  private final RoomScene scene = new RoomScene();
  private final Room room = scene.room("5");
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");

  @Test
  void pipelinedLeaveAndJoinAreTwoMembershipsOfWhichTheSecondWaits() {
    a.sink().hold();
    scene.join("5", 1, "a", a);
    scene.runAll();
    scene.leave("5", 1, "a");
    scene.say("5", 7, "between");
    scene.join("5", 2, "a", a);
    scene.say("5", 7, "after");

    scene.runAll();
    assertThat(a.sink().writes()).isEqualTo(1);
    a.sink().release();
    scene.runAll();

    assertThat(a.texts()).containsExactly("JOIN 1 a", "LEAVE 1 a", "JOIN 2 a", "after");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void threeStaysOnOneConnectionAreWrittenInOrder() {
    a.sink().hold();
    for (int stay = 0; stay < 3; stay++) {
      scene.join("5", 1, "a", a);
      scene.say("5", 2, "text " + stay);
      scene.leave("5", 1, "a");
      scene.say("5", 2, "unseen " + stay);
    }
    scene.runAll();
    a.sink().release();
    scene.runAll();

    assertThat(a.texts())
        .containsExactly(
            "JOIN 1 a",
            "text 0",
            "LEAVE 1 a",
            "JOIN 1 a",
            "text 1",
            "LEAVE 1 a",
            "JOIN 1 a",
            "text 2",
            "LEAVE 1 a");
    scene.tick();
    assertThat(room.readers().isEmpty()).isTrue();
  }

  @Test
  void slowMemberDoesNotKeepOthersWaiting() {
    a.sink().hold();
    scene.join("5", 1, "a", a);
    scene.join("5", 2, "b", b);
    for (int i = 0; i < 100; i++) {
      scene.say("5", 2, "text " + i);
      scene.runAll();
    }

    assertThat(b.texts()).hasSize(101);
    assertThat(a.sink().writes()).isEqualTo(1);
    assertThat(scene.rooms().areCaughtUp()).isFalse();
    a.sink().release();
    scene.runAll();
    assertThat(a.texts()).hasSize(102);
    assertThat(scene.rooms().areCaughtUp()).isTrue();
  }

  @Test
  void ownJoinIsTheFirstFrameAndOwnLeaveTheLast() {
    scene.join("5", 1, "a", a);
    scene.say("5", 1, "one");
    scene.join("5", 2, "b", b);
    scene.say("5", 1, "two");
    scene.leave("5", 2, "b");
    scene.say("5", 1, "three");

    scene.runAll();

    assertThat(a.texts())
        .containsExactly("JOIN 1 a", "one", "JOIN 2 b", "two", "LEAVE 2 b", "three");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "two", "LEAVE 2 b");
  }

  @Test
  void leaveOfAnotherUserOnASharedConnectionEndsOnlyThatMembership() {
    scene.join("5", 1, "a", a);
    scene.leave("5", 1, "a");
    scene.join("5", 2, "a", a);

    scene.leave("5", 1, "a");

    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void deadConnectionIsAMemberUntilItsSyntheticLeaveIsShown() {
    scene.join("5", 1, "a", a);
    scene.join("5", 2, "b", b);
    scene.runAll();

    a.sink().close();
    scene.tick();
    assertThat(room.memberCount()).isEqualTo(2);
    scene.say("5", 2, "one");
    scene.leave("5", 1, "a");
    assertThat(room.memberCount()).isEqualTo(1);

    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "JOIN 2 b");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "one", "LEAVE 1 a");
  }

  @Test
  void connectionThatDiedBeforeItsJoinCameBackIsNotWrittenTo() {
    scene.join("5", 2, "b", b);
    a.sink().close();

    scene.join("5", 1, "a", a);

    scene.runAll();
    assertThat(a.sink().writes()).isZero();
    scene.leave("5", 1, "a");
    scene.tick();
    assertThat(room.memberCount()).isEqualTo(1);
    assertThat(room.readers().readers().length()).isEqualTo(4);
  }

  @Test
  void sameConnectionMayJoinAgainInTheSameMillisecond() {
    scene.join("5", 1, "a", a);
    scene.leave("5", 1, "a");

    scene.join("5", 1, "a", a);

    scene.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "LEAVE 1 a", "JOIN 1 a");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void secondJoinOfAConnectionRestartsItsMembershipWithoutClosingIt() {
    scene.join("5", 1, "a", a);
    scene.say("5", 2, "one");

    scene.join("5", 1, "a", a);

    scene.say("5", 2, "two");
    scene.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "one", "JOIN 1 a", "two");
    assertThat(room.memberCount()).isEqualTo(1);
  }
}
