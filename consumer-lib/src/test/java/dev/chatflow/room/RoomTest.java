package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.fanout.ManualFanOut;
import dev.chatflow.room.log.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoomTest {

  private final ManualFanOut rounds = new ManualFanOut();
  private final Rooms rooms =
      new Rooms(
          new RoomsConfig(4, 4 << 20, 64 << 20, 256 << 10, Duration.ofSeconds(15), 1 << 20),
          rounds.fanOut());
  private final RoomId id = new RoomId("5");
  private final Room room = rooms.room(id);
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");
  private long now = 1_000_000;

  @Test
  void ownJoinIsTheFirstFrameAndOwnLeaveTheLast() {
    join(1, "a", 10, a);
    say(1, "one");
    join(2, "b", 11, b);
    say(1, "two");
    leave(2, "b");
    say(1, "three");

    rounds.runAll();

    assertThat(a.texts())
        .containsExactly("JOIN 1 a", "one", "JOIN 2 b", "two", "LEAVE 2 b", "three");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "two", "LEAVE 2 b");
  }

  @Test
  void membersAreListedFromJoinToLeave() {
    join(1, "a", 10, a);
    join(2, "b", 11, b);
    assertThat(room.members())
        .containsExactly(new Member.View(1, "user1", 10), new Member.View(2, "user2", 11));
    assertThat(room.memberCount()).isEqualTo(2);

    leave(1, "a");

    assertThat(room.members()).containsExactly(new Member.View(2, "user2", 11));
  }

  @Test
  void joinOfAnotherServerIsShownAndMakesNoMember() {
    join(1, "a", 10, a);

    assertThat(join(2, "elsewhere", 11, null)).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "JOIN 2 elsewhere");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void newerJoinClosesTheOlderMembershipWithoutLeave() {
    FakeMember newer = new FakeMember("a2");
    join(2, "b", 9, b);
    join(1, "a", 10, a);

    assertThat(join(1, "a2", 20, newer)).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
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
    join(2, "b", 9, b);
    join(1, "a", 10, a);

    assertThat(join(1, "a0", 5, older)).isEqualTo(Room.Outcome.STALE);

    rounds.runAll();
    assertThat(older.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(a.closeReason()).isNull();
    assertThat(older.texts()).isEmpty();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 a");
  }

  @Test
  void joinOnAnotherServerTakesOverTheMembershipHere() {
    join(1, "a", 10, a);

    join(1, "elsewhere", 20, null);

    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(room.memberCount()).isZero();
  }

  @Test
  void joinHereLosesAgainstANewerOneOfAnotherServerSeenBefore() {
    join(1, "elsewhere", 20, null);

    assertThat(join(1, "a", 10, a)).isEqualTo(Room.Outcome.STALE);

    assertThat(a.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(room.memberCount()).isZero();
  }

  @Test
  void staleJoinOfAnotherServerIsNotShown() {
    join(1, "a", 10, a);

    assertThat(join(1, "elsewhere", 5, null)).isEqualTo(Room.Outcome.STALE);

    rounds.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a");
  }

  @Test
  void joinsOfOneMillisecondAreRankedByServerThenSession() {
    FakeMember other = new FakeMember("z");
    accept(new RoomEvent.Joined(1, "user1", new JoinStamp(10, "s2", "a"), frame("first")), a);

    Room.Outcome smaller =
        accept(new RoomEvent.Joined(1, "user1", new JoinStamp(10, "s1", "z"), frame("no")), other);

    assertThat(smaller).isEqualTo(Room.Outcome.STALE);
    assertThat(other.closeReason()).isEqualTo(CloseReason.TAKEN_OVER);
    assertThat(a.closeReason()).isNull();
  }

  @Test
  void sameSessionMayJoinAgainInTheSameMillisecond() {
    join(1, "a", 10, a);
    leave(1, "a");

    assertThat(join(1, "a", 10, a)).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "LEAVE 1 a", "JOIN 1 a");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void secondJoinOfASessionStartsItsMembershipAnewWithoutClosingIt() {
    join(1, "a", 10, a);
    say(2, "one");

    assertThat(join(1, "a", 11, a)).isEqualTo(Room.Outcome.SHOWN);

    say(2, "two");
    rounds.runAll();
    assertThat(a.closeReason()).isNull();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "one", "JOIN 1 a", "two");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void leaveOfASessionThatWasTakenOverIsNotShown() {
    FakeMember newer = new FakeMember("a2");
    join(1, "a", 10, a);
    join(1, "a2", 20, newer);

    assertThat(leave(1, "a")).isEqualTo(Room.Outcome.STALE);

    rounds.runAll();
    assertThat(newer.texts()).containsExactly("JOIN 1 a2");
    assertThat(room.memberCount()).isEqualTo(1);
  }

  @Test
  void leaveOfAUserWhoseJoinWasNotSeenIsShown() {
    join(2, "b", 10, b);

    assertThat(leave(1, "elsewhere")).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "LEAVE 1 elsewhere");
  }

  @Test
  void leaveIsShownWhenTheJoinBeforeItMayHavePassedBy() {
    join(2, "b", 10, b);
    join(1, "older", 10, null);
    rooms.forgetJoins(room.shard());

    assertThat(leave(1, "newer")).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "JOIN 1 older", "LEAVE 1 newer");
  }

  @Test
  void pipelinedLeaveAndJoinAreTwoMembershipsOfWhichTheSecondWaits() {
    a.sink().hold();
    join(1, "a", 10, a);
    rounds.runAll();
    leave(1, "a");
    say(7, "between");
    join(2, "a", 11, a);
    say(7, "after");

    rounds.runAll();
    assertThat(a.sink().writes()).isEqualTo(1);
    a.sink().release();
    rounds.runAll();

    assertThat(a.texts()).containsExactly("JOIN 1 a", "LEAVE 1 a", "JOIN 2 a", "after");
    assertThat(room.members()).containsExactly(new Member.View(2, "user2", 11));
  }

  @Test
  void threeStaysOnOneConnectionAreWrittenInOrder() {
    a.sink().hold();
    for (int stay = 0; stay < 3; stay++) {
      join(1, "a", 10 + stay, a);
      say(2, "text " + stay);
      leave(1, "a");
      say(2, "unseen " + stay);
    }
    rounds.runAll();
    a.sink().release();
    rounds.runAll();

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
    rooms.tick(now);
    assertThat(room.readers().isEmpty()).isTrue();
  }

  @Test
  void resendIsShownOnce() {
    join(1, "a", 10, a);
    say(1, "one");

    assertThat(say(1, "one")).isEqualTo(Room.Outcome.RESEND);

    rounds.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "one");
  }

  @Test
  void sameIdOfAnotherUserOrRoomIsNoResend() {
    say(1, "one");

    assertThat(say(2, "one")).isEqualTo(Room.Outcome.SHOWN);
    assertThat(rooms.room(new RoomId("6")).accept(said(1, "one"), null, now))
        .isEqualTo(Room.Outcome.SHOWN);
  }

  @Test
  void resendIsKnownAlsoWhenTheLastMemberHasGone() {
    join(1, "a", 10, a);
    say(1, "one");
    leave(1, "a");
    rounds.runAll();
    rooms.tick(now += 60_000);

    assertThat(rooms.room(id).accept(said(1, "one"), null, now)).isEqualTo(Room.Outcome.RESEND);
  }

  @Test
  void resendAfterTwoMinutesIsShownAgain() {
    say(1, "one");
    now += 120_000;

    assertThat(say(1, "one")).isEqualTo(Room.Outcome.SHOWN);
  }

  @Test
  void deadConnectionNoLongerCountsAndItsSyntheticLeaveIsShown() {
    join(1, "a", 10, a);
    join(2, "b", 11, b);
    rounds.runAll();

    a.sink().close();
    assertThat(room.memberCount()).isEqualTo(1);
    rooms.tick(now);
    say(2, "one");
    assertThat(leave(1, "a")).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "JOIN 2 b");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "one", "LEAVE 1 a");
  }

  @Test
  void connectionThatDiedBeforeItsJoinCameBackIsNoMember() {
    join(2, "b", 9, b);
    a.sink().close();

    assertThat(join(1, "a", 10, a)).isEqualTo(Room.Outcome.SHOWN);

    rounds.runAll();
    assertThat(a.sink().writes()).isZero();
    assertThat(room.memberCount()).isEqualTo(1);
    assertThat(leave(1, "a")).isEqualTo(Room.Outcome.SHOWN);
  }

  @Test
  void joinIsRememberedWhileItsMemberIsHereHoweverLong() {
    join(1, "a", 10, a);
    rounds.runAll();
    rooms.tick(now += 600_000);

    assertThat(join(1, "elsewhere", 5, null)).isEqualTo(Room.Outcome.STALE);
    assertThat(a.closeReason()).isNull();
  }

  @Test
  void leaveOfAnotherUserOnASharedConnectionEndsOnlyHisMembership() {
    join(1, "a", 10, a);
    leave(1, "a");
    join(2, "a", 11, a);

    assertThat(leave(1, "a")).isEqualTo(Room.Outcome.SHOWN);

    assertThat(room.members()).containsExactly(new Member.View(2, "user2", 11));
  }

  @Test
  void membersOfManyRoomsDoNotMix() {
    Room other = rooms.room(new RoomId("6"));
    join(1, "a", 10, a);
    other.accept(new RoomEvent.Joined(2, "user2", new JoinStamp(11, "s", "b"), frame("J")), b, now);
    say(1, "for five");
    other.accept(said(2, "for six"), null, now);

    rounds.runAll();

    assertThat(a.texts()).containsExactly("JOIN 1 a", "for five");
    assertThat(b.texts()).containsExactly("J", "for six");
    assertThat(rooms.all()).extracting(Room::id).containsExactlyInAnyOrder(id, new RoomId("6"));
  }

  @Test
  void slowMemberDoesNotKeepOthersWaiting() {
    a.sink().hold();
    join(1, "a", 10, a);
    join(2, "b", 11, b);
    for (int i = 0; i < 100; i++) {
      say(2, "text " + i);
      rounds.runAll();
    }

    assertThat(b.texts()).hasSize(101);
    assertThat(a.sink().writes()).isEqualTo(1);
    assertThat(rooms.areCaughtUp()).isFalse();
    a.sink().release();
    rounds.runAll();
    assertThat(a.texts()).hasSize(102);
    assertThat(rooms.areCaughtUp()).isTrue();
  }

  private Room.Outcome join(int user, String session, long millis, @Nullable Member own) {
    return accept(
        new RoomEvent.Joined(
            user,
            "user" + user,
            new JoinStamp(millis, "s", session),
            frame("JOIN " + user + " " + session)),
        own);
  }

  private Room.Outcome leave(int user, String session) {
    return accept(new RoomEvent.Left(user, session, frame("LEAVE " + user + " " + session)), null);
  }

  private Room.Outcome say(int user, String text) {
    return accept(said(user, text), null);
  }

  private static RoomEvent.Said said(int user, String text) {
    return new RoomEvent.Said(user, text.hashCode(), frame(text));
  }

  private Room.Outcome accept(RoomEvent event, @Nullable Member own) {
    return room.accept(event, own, now);
  }

  private static Payload frame(String text) {
    return new Payload(text.getBytes(StandardCharsets.UTF_8));
  }
}
