package dev.chatflow.room;

import static dev.chatflow.room.Soon.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.room.fanout.ManualFanOut;
import dev.chatflow.room.log.Payload;
import dev.chatflow.room.log.SegmentPool;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoomsTest {

  private static final int SEGMENT = 1024;
  private static final int LOG = 128 << 10;
  private static final String KIBIBYTE = "x".repeat(SEGMENT - 4);

  private final ManualFanOut rounds = new ManualFanOut();
  private Rooms rooms = rooms(4 * LOG, Duration.ofMillis(20));
  private long now = 1_000_000;
  private int texts;

  @Test
  void memberFarBehindTheForemostIsClosedWhenTheLogIsFull() {
    FakeMember slow = join("1", 1);
    FakeMember healthy = join("1", 2);
    slow.sink().hold();

    fillLog("1");

    assertThat(slow.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(healthy.closeReason()).isNull();
    assertThat(rooms.slowClosed(SlowCause.BEHIND_OTHERS)).isEqualTo(1);
    assertThat(rooms.slowClosed()).isEqualTo(1);
    assertThat(rooms.logWaits()).isZero();
    assertThat(healthy.texts()).hasSize(1 + texts);
  }

  @Test
  void connectionWhoseMembershipWasWrittenToItsEndIsNotClosed() {
    FakeMember left = join("1", 1);
    leave("1", 1);
    FakeMember healthy = join("1", 2);

    fillLog("1");

    assertThat(left.closeReason()).isNull();
    assertThat(left.texts()).containsExactly("JOIN 1", "LEAVE 1");
    assertThat(healthy.closeReason()).isNull();
  }

  @Test
  void bytesInTheAirOfAClosedMemberAreNotOverwritten() {
    FakeMember slow = join("1", 1);
    join("1", 2);
    slow.sink().hold();

    fillLog("1");
    fillLog("1");
    slow.sink().complete();

    assertThat(slow.texts()).startsWith("JOIN 1", "JOIN 2");
    rooms.tick(now);
    assertThat(rooms.logBytes()).isZero();
  }

  @Test
  void fullLogWaitsForItsReadersWhenNoneIsFarBehind() {
    rooms = rooms(4 * LOG, Duration.ofSeconds(10));
    FakeMember a = join("1", 1);
    FakeMember b = join("1", 2);
    a.sink().hold();
    b.sink().hold();
    rounds.runAll();
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              soon().until(() -> rooms.logWaits() == 1);
              a.sink().release();
              b.sink().release();
              rounds.runAll();
            });

    sayKibibytes("1", 130);

    soon().until(() -> !reader.isAlive());
    assertThat(rooms.slowClosed()).isZero();
    rounds.runAll();
    assertThat(a.texts()).hasSize(132);
    assertThat(b.texts()).hasSize(131);
  }

  @Test
  void slowestIsClosedWhenAFullLogDoesNotMoveForASendDeadline() {
    FakeMember slowest = join("1", 1);
    slowest.sink().hold();
    rounds.runAll();
    sayKibibytes("1", 40);
    FakeMember other = join("1", 2);
    other.sink().hold();
    rounds.runAll();

    sayKibibytes("1", 100);

    assertThat(slowest.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(other.closeReason()).isNull();
    assertThat(rooms.slowClosed(SlowCause.LOG_FULL)).isEqualTo(1);
    assertThat(rooms.logWaits()).isEqualTo(1);
  }

  @Test
  void memberThatPinsMostIsClosedWhenTheShareIsUsedUp() {
    rooms = rooms(LOG, Duration.ofMillis(20));
    FakeMember most = join("1", 1);
    FakeMember less = join("2", 2);
    most.sink().hold();
    less.sink().hold();
    rounds.runAll();
    sayKibibytes("1", 80);
    sayKibibytes("2", 40);
    assertThat(rooms.slowClosed()).isZero();

    sayKibibytes("2", 20);

    assertThat(most.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(less.closeReason()).isNull();
    assertThat(rooms.slowClosed(SlowCause.SHARE_USED_UP)).isEqualTo(1);
    assertThat(rooms.logBytes()).isLessThanOrEqualTo(LOG);
  }

  /** On a machine whose writers get no CPU nobody is slow: the log waits for them. */
  @Test
  void memberThatTheWritersDidNotComeToIsNeverClosed() {
    FakeMember forgotten = join("1", 1);
    FakeMember another = join("1", 2);
    Thread writers = runsRoundsFromTheFirstWaitOn();

    sayKibibytes("1", 300);

    writers.interrupt();
    soon().until(() -> !writers.isAlive());
    rounds.runAll();
    assertThat(forgotten.closeReason()).isNull();
    assertThat(another.closeReason()).isNull();
    assertThat(rooms.slowClosed()).isZero();
    assertThat(forgotten.texts()).hasSize(302);
  }

  @Test
  void shareThatIsUsedUpWaitsForTheWritersToo() {
    rooms = rooms(LOG, Duration.ofMillis(20));
    FakeMember one = join("1", 1);
    FakeMember other = join("2", 2);
    Thread writers = runsRoundsFromTheFirstWaitOn();

    for (int i = 0; i < 300; i++) {
      say(i % 2 == 0 ? "1" : "2", KIBIBYTE);
    }

    writers.interrupt();
    soon().until(() -> !writers.isAlive());
    rounds.runAll();
    assertThat(one.closeReason()).isNull();
    assertThat(other.closeReason()).isNull();
    assertThat(rooms.slowClosed()).isZero();
  }

  /** Rounds that run only from the second wait on, so that one lasts a whole send deadline. */
  private Thread runsRoundsFromTheFirstWaitOn() {
    return Thread.ofPlatform()
        .start(() -> {
          soon().until(() -> rooms.logWaits() >= 2);
          while (!Thread.currentThread().isInterrupted()) {
            rounds.runAll();
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void shareIsReclaimedFromReadRoomsBeforeAnyoneIsClosed() {
    rooms = rooms(LOG, Duration.ofMillis(20));
    FakeMember a = join("1", 1);
    FakeMember b = join("2", 2);
    for (int i = 0; i < 300; i++) {
      say(i % 2 == 0 ? "1" : "2", KIBIBYTE);
      rounds.runAll();
    }

    assertThat(rooms.slowClosed()).isZero();
    assertThat(a.texts()).hasSize(151);
    assertThat(b.texts()).hasSize(151);
  }

  @Test
  void tickGivesReadSegmentsBackAndAnIdleRoomHoldsNone() {
    FakeMember member = join("1", 1);
    say("1", KIBIBYTE);
    say("1", KIBIBYTE);
    assertThat(rooms.logBytes()).isEqualTo(3 * SEGMENT);
    rooms.tick(now);
    assertThat(rooms.logBytes()).isEqualTo(3 * SEGMENT);

    rounds.runAll();
    rooms.tick(now);

    assertThat(rooms.logBytes()).isZero();
    say("1", "on");
    rounds.runAll();
    assertThat(member.texts()).hasSize(4).endsWith("on");
  }

  @Test
  void writeInTheAirPinsItsSegmentsAlsoOnAClosedSink() {
    FakeMember member = join("1", 1);
    member.sink().hold();
    rounds.runAll();
    member.sink().close();

    rooms.tick(now);
    assertThat(rooms.logBytes()).isEqualTo(SEGMENT);
    member.sink().fail();
    rooms.tick(now);

    assertThat(rooms.logBytes()).isZero();
  }

  @Test
  void segmentsOfALostWriteAreLeftToTheCollectorAfterASendDeadline() {
    FakeMember member = join("1", 1);
    member.sink().hold();
    rounds.runAll();
    member.sink().close();
    rooms.tick(now);
    rooms.tick(now += 20);
    assertThat(rooms.logBytes()).isEqualTo(SEGMENT);

    rooms.tick(now += 1);
    assertThat(rooms.logBytes()).isZero();

    join("1", 2);
    fillLog("1");
    member.sink().complete();
    assertThat(member.texts()).containsExactly("JOIN 1");
  }

  @Test
  void bytesOfAWriteThatEndedOnAClosedSinkAreNotUsedAgain() {
    FakeMember member = join("1", 1);
    member.sink().hold();
    rounds.runAll();
    member.sink().close();
    member.sink().fail();
    rooms.tick(now);

    join("1", 2);
    fillLog("1");
    fillLog("1");

    assertThat(member.sink().lostTexts()).containsExactly("JOIN 1");
  }

  @Test
  void memberWhoseWriteMakesNoProgressForASendDeadlineIsClosed() {
    FakeMember stuck = join("1", 1);
    FakeMember healthy = join("1", 2);
    stuck.sink().hold();
    rounds.runAll();
    rooms.tick(now);
    rooms.tick(now += 20);
    assertThat(stuck.closeReason()).isNull();

    rooms.tick(now += 1);

    assertThat(stuck.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(healthy.closeReason()).isNull();
    assertThat(rooms.slowClosed(SlowCause.SEND_DEADLINE)).isEqualTo(1);
  }

  @Test
  void memberThatKeepsWritingIsNotClosedByTheDeadline() {
    FakeMember busy = join("1", 1);
    busy.sink().hold();
    for (int i = 0; i < 10; i++) {
      say("1", "text");
      rounds.runAll();
      rooms.tick(now += 15);
      busy.sink().complete();
      rounds.runAll();
    }

    assertThat(busy.closeReason()).isNull();
  }

  @Test
  void memberFarBehindIsNotReadUntilItCaughtUpHalf() {
    FakeMember member = join("1", 1);
    member.sink().hold();
    rounds.runAll();
    sayKibibytes("1", 40);
    rounds.runAll();
    assertThat(member.pauses()).containsExactly(true);

    member.sink().release();
    rounds.runAll();

    assertThat(member.pauses()).containsExactly(true, false);
    assertThat(member.closeReason()).isNull();
  }

  @Test
  void membershipThatEndedIsReadAgainWhenWrittenToItsEnd() {
    FakeMember member = join("1", 1);
    member.sink().hold();
    rounds.runAll();
    sayKibibytes("1", 40);
    rounds.runAll();
    leave("1", 1);
    member.sink().release();
    rounds.runAll();
    rooms.tick(now);

    assertThat(member.pauses()).containsExactly(true, false);
    assertThat(member.texts()).hasSize(42);
    assertThat(rooms.logBytes()).isZero();
  }

  @Test
  void roomWithoutReadersKeepsNothing() {
    say("1", KIBIBYTE);

    assertThat(rooms.logBytes()).isZero();
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void emptyRoomIsForgottenAfterTwoMinutes() {
    join("1", 1);
    leave("1", 1);
    rounds.runAll();
    rooms.tick(now += 1000);
    rooms.tick(now += 118_999);
    assertThat(rooms.all()).hasSize(1);

    rooms.tick(now += 1);

    assertThat(rooms.all()).isEmpty();
  }

  @Test
  void roomWithASilentMemberIsKept() {
    join("1", 1);
    rounds.runAll();

    rooms.tick(now += 600_000);

    assertThat(rooms.all()).hasSize(1);
    assertThat(rooms.room(new RoomId("1"))).isSameAs(rooms.all().iterator().next());
  }

  @Test
  void tickCountsTheMembersOfEachShard() {
    join("1", 1);
    join("1", 2);
    join("5", 3);
    join("2", 4);

    rooms.tick(now);

    assertThat(rooms.memberCount(new Shard(1))).isEqualTo(3);
    assertThat(rooms.memberCount(new Shard(2))).isEqualTo(1);
    assertThat(rooms.memberCount(new Shard(0))).isZero();
  }

  @Test
  void boundsAreChecked() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new RoomsConfig(0, LOG, LOG, 1, second, 1024))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shards");
    assertThatThrownBy(() -> new RoomsConfig(4, 1024, LOG, 1, second, 1024))
        .hasMessageContaining("roomLogBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, LOG, LOG - 1, 1, second, 1024))
        .hasMessageContaining("totalLogBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, LOG, LOG, 0, second, 1024))
        .hasMessageContaining("maxLagBytes");
    assertThatThrownBy(() -> new RoomsConfig(4, LOG, LOG, 1, Duration.ZERO, 1024))
        .hasMessageContaining("sendDeadline");
    assertThatThrownBy(() -> new RoomsConfig(4, LOG, LOG, 1, second, 1023))
        .hasMessageContaining("recentIds");
  }

  private Rooms rooms(long total, Duration deadline) {
    return new Rooms(
        new RoomsConfig(4, LOG, total, 32 << 10, deadline, 1 << 20),
        rounds.fanOut(),
        new SegmentPool(total, SEGMENT));
  }

  private void sayKibibytes(String room, int count) {
    for (int i = 0; i < count; i++) {
      say(room, KIBIBYTE);
    }
  }

  /** Appends as much as a log holds and a little more, letting rounds run in between. */
  private void fillLog(String room) {
    for (int i = 0; i < 140; i++) {
      say(room, KIBIBYTE);
      rounds.runAll();
    }
  }

  private FakeMember join(String room, int user) {
    FakeMember member = new FakeMember("session" + user);
    RoomEvent event =
        new RoomEvent.Joined(
            user,
            "user" + user,
            new JoinStamp(user, "s", member.session()),
            payload("JOIN " + user));
    rooms.room(new RoomId(room)).accept(event, member, now);
    return member;
  }

  private void leave(String room, int user) {
    rooms
        .room(new RoomId(room))
        .accept(new RoomEvent.Left(user, "session" + user, payload("LEAVE " + user)), null, now);
  }

  private void say(String room, String text) {
    rooms.room(new RoomId(room)).accept(new RoomEvent.Said(9, texts++, payload(text)), null, now);
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(UTF_8));
  }
}
