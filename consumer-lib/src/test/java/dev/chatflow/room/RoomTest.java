package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose JOIN counts, and which JOIN, LEAVE and text a room shows. */
class RoomTest {

  private final RoomScene scene = new RoomScene();
  private final Room room = scene.room("5");
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");

  @Test
  void membersAreListedFromJoinToLeave() {
    scene.join("5", 1, "a", 10, a);
    scene.join("5", 2, "b", 11, b);
    assertThat(room.members())
        .containsExactly(new Member.View(1, "user1", 10), new Member.View(2, "user2", 11));
    assertThat(room.memberCount()).isEqualTo(2);

    scene.leave("5", 1, "a");

    assertThat(room.members()).containsExactly(new Member.View(2, "user2", 11));
  }

  @Test
  void joinOfAnotherServerIsShownAndMakesNoMember() {
    scene.join("5", 1, "a", 10, a);

    assertThat(scene.join("5", 2, "elsewhere", 11, null)).isEqualTo(Room.Outcome.SHOWN);

    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "JOIN 2 elsewhere");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void newerJoinClosesTheOlderMembershipWithoutLeave() {
    FakeMember newer = new FakeMember("a2");
    scene.join("5", 2, "b", 9, b);
    scene.join("5", 1, "a", 10, a);

    assertThat(scene.join("5", 1, "a2", 20, newer)).isEqualTo(Room.Outcome.SHOWN);

    scene.runAll();
    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(newer.closeReason()).isNull();
    assertThat(newer.texts()).containsExactly("JOIN 1 a2");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 a", "JOIN 1 a2");
    assertThat(room.members())
        .containsExactly(new Member.View(2, "user2", 9), new Member.View(1, "user1", 20));
  }

  @Test
  void olderJoinThatComesLaterIsClosedAndNotShown() {
    FakeMember older = new FakeMember("a0");
    scene.join("5", 2, "b", 9, b);
    scene.join("5", 1, "a", 10, a);

    assertThat(scene.join("5", 1, "a0", 5, older)).isEqualTo(Room.Outcome.STALE);

    scene.runAll();
    assertThat(older.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(a.closeReason()).isNull();
    assertThat(older.texts()).isEmpty();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 a");
  }

  @Test
  void joinOnAnotherServerTakesOverTheMembershipHere() {
    scene.join("5", 1, "a", 10, a);

    scene.join("5", 1, "elsewhere", 20, null);

    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(room.memberCount()).isZero();
  }

  @Test
  void joinHereLosesAgainstANewerOneOfAnotherServerSeenBefore() {
    scene.join("5", 1, "elsewhere", 20, null);

    assertThat(scene.join("5", 1, "a", 10, a)).isEqualTo(Room.Outcome.STALE);

    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(room.memberCount()).isZero();
  }

  @Test
  void staleJoinOfAnotherServerIsNotShown() {
    scene.join("5", 1, "a", 10, a);

    assertThat(scene.join("5", 1, "elsewhere", 5, null)).isEqualTo(Room.Outcome.STALE);

    scene.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a");
  }

  @Test
  void joinsOfOneMillisecondAreRankedByServerThenSession() {
    FakeMember other = new FakeMember("z");
    scene.accept(
        "5",
        new RoomEvent.Joined(1, "user1", new JoinStamp(10, "s2", "a"), RoomScene.frame("first")),
        a);

    Room.Outcome smaller =
        scene.accept(
            "5",
            new RoomEvent.Joined(1, "user1", new JoinStamp(10, "s1", "z"), RoomScene.frame("no")),
            other);

    assertThat(smaller).isEqualTo(Room.Outcome.STALE);
    assertThat(other.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(a.closeReason()).isNull();
  }

  @Test
  void leaveOfASessionThatWasTakenOverIsNotShown() {
    FakeMember newer = new FakeMember("a2");
    scene.join("5", 1, "a", 10, a);
    scene.join("5", 1, "a2", 20, newer);

    assertThat(scene.leave("5", 1, "a")).isEqualTo(Room.Outcome.STALE);

    scene.runAll();
    assertThat(newer.texts()).containsExactly("JOIN 1 a2");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void leaveOfAUserWhoseJoinWasNotSeenIsShown() {
    scene.join("5", 2, "b", 10, b);

    assertThat(scene.leave("5", 1, "elsewhere")).isEqualTo(Room.Outcome.SHOWN);

    scene.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "LEAVE 1 elsewhere");
  }

  @Test
  void leaveIsShownWhenTheJoinBeforeItMayHavePassedBy() {
    scene.join("5", 2, "b", 10, b);
    scene.join("5", 1, "older", 10, null);
    scene.rooms().forgetJoins(room.shard());

    assertThat(scene.leave("5", 1, "newer")).isEqualTo(Room.Outcome.SHOWN);

    scene.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 older", "LEAVE 1 newer");
  }

  @Test
  void joinIsRememberedWhileItsMemberIsHereHoweverLong() {
    scene.join("5", 1, "a", 10, a);
    scene.runAll();
    scene.tickAfter(Duration.ofMinutes(10));

    assertThat(scene.join("5", 1, "elsewhere", 5, null)).isEqualTo(Room.Outcome.STALE);
    assertThat(a.closeReason()).isNull();
  }

  @Test
  void resendIsShownOnce() {
    scene.join("5", 1, "a", 10, a);
    scene.say("5", 1, "one");

    assertThat(scene.say("5", 1, "one")).isEqualTo(Room.Outcome.RESEND);

    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "one");
  }

  @Test
  void sameIdOfAnotherUserOrRoomIsNoResend() {
    scene.say("5", 1, "one");

    assertThat(scene.say("5", 2, "one")).isEqualTo(Room.Outcome.SHOWN);
    assertThat(scene.say("6", 1, "one")).isEqualTo(Room.Outcome.SHOWN);
  }

  @Test
  void resendIsKnownAlsoWhenTheLastMemberHasGone() {
    scene.join("5", 1, "a", 10, a);
    scene.say("5", 1, "one");
    scene.leave("5", 1, "a");
    scene.runAll();
    scene.tickAfter(Duration.ofMinutes(1));

    assertThat(scene.say("5", 1, "one")).isEqualTo(Room.Outcome.RESEND);
  }

  @Test
  void resendAfterTwoMinutesIsShownAgain() {
    scene.say("5", 1, "one");
    scene.pass(Duration.ofMinutes(2));

    assertThat(scene.say("5", 1, "one")).isEqualTo(Room.Outcome.SHOWN);
  }
}
