package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which connections are members of a room and get its frames. */
class RoomTest {

  private final RoomScene scene = new RoomScene();
  private final Room room = scene.room("5");
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");

  @Test
  void memberCountsFromItsJoinToItsLeave() {
    scene.join("5", 1, "a", a);
    scene.join("5", 2, "b", b);
    assertThat(room.memberCount()).isEqualTo(2);
    assertThat(room.memberCount()).isEqualTo(2);

    scene.leave("5", 1, "a");

    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void joinOfAnotherServerIsShownAndMakesNoMember() {
    scene.join("5", 1, "a", a);

    scene.join("5", 2, "elsewhere", null);

    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "JOIN 2 elsewhere");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void newerJoinClosesTheOlderMembershipWithoutLeave() {
    FakeMember newer = new FakeMember("a2");
    scene.join("5", 2, "b", b);
    scene.join("5", 1, "a", a);

    scene.join("5", 1, "a2", newer);

    scene.runAll();
    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(newer.closeReason()).isNull();
    assertThat(newer.texts()).containsExactly("JOIN 1 a2");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 a", "JOIN 1 a2");
    assertThat(room.memberCount()).isEqualTo(2);
  }

  @Test
  void joinOnAnotherServerTakesOverTheMembershipHere() {
    scene.join("5", 1, "a", a);

    scene.join("5", 1, "elsewhere", null);

    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(room.memberCount()).isZero();
  }

  @Test
  void leaveOfAUserWhoseJoinWasNotSeenIsShown() {
    scene.join("5", 2, "b", b);

    scene.leave("5", 1, "elsewhere");

    scene.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "LEAVE 1 elsewhere");
  }
}
