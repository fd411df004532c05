package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which threads wait when logs are full, and which members are closed as slow consumers. */
class SlowMembersTest {

  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMillis(250);

  private RoomScene scene = scene(4 * RoomScene.LOG);

  @Test
  void memberFarBehindTheForemostIsClosedWhenTheLogIsFull() {
    FakeMember slow = scene.join("1", 1);
    FakeMember healthy = scene.join("1", 2);
    holdForItsPatience(slow);

    int texts = scene.fillLog("1");

    assertThat(slow.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(healthy.closeReason()).isNull();
    assertThat(scene.rooms().slowClosed(SlowCause.BEHIND_OTHERS)).isEqualTo(1);
    assertThat(scene.rooms().slowClosed()).isEqualTo(1);
    assertThat(scene.rooms().logWaits()).isZero();
    assertThat(healthy.texts()).hasSize(1 + texts);
  }

  /** A writer that lost its CPU during a write looks like a full socket for a moment. */
  @Test
  void memberFarBehindWhoseWriteHasJustBegunIsWaitedFor() {
    FakeMember late = scene.join("1", 1);
    FakeMember healthy = scene.join("1", 2);
    late.sink().hold();
    scene.rounds().whileParked(() -> late.sink().release());

    int texts = scene.fillLog("1");

    assertThat(scene.rooms().logWaits()).isEqualTo(1);
    assertThat(scene.rooms().slowClosed()).isZero();
    assertThat(late.texts()).hasSize(2 + texts);
    assertThat(healthy.texts()).hasSize(1 + texts);
  }

  @Test
  void connectionWhoseMembershipWasWrittenToItsEndIsNotClosed() {
    FakeMember left = scene.join("1", 1);
    scene.leave("1", 1, "s1");
    FakeMember healthy = scene.join("1", 2);

    scene.fillLog("1");

    assertThat(left.closeReason()).isNull();
    assertThat(left.texts()).containsExactly("JOIN 1 s1", "LEAVE 1 s1");
    assertThat(healthy.closeReason()).isNull();
  }

  @Test
  void fullLogWaitsForItsReadersWhenNoneIsFarBehind() {
    FakeMember a = scene.join("1", 1);
    FakeMember b = scene.join("1", 2);
    a.sink().hold();
    b.sink().hold();
    scene.runAll();
    scene
        .rounds()
        .whileParked(() -> {
          a.sink().release();
          b.sink().release();
          scene.runAll();
        });

    scene.sayKibibytes("1", 130);

    assertThat(scene.rooms().logWaits()).isEqualTo(1);
    assertThat(scene.rooms().slowClosed()).isZero();
    scene.runAll();
    assertThat(a.texts()).hasSize(132);
    assertThat(b.texts()).hasSize(131);
  }

  @Test
  void slowestIsClosedWhenAFullLogDoesNotMoveForASendDeadline() {
    FakeMember slowest = scene.join("1", 1);
    slowest.sink().hold();
    scene.runAll();
    scene.sayKibibytes("1", 40);
    FakeMember other = scene.join("1", 2);
    other.sink().hold();
    scene.runAll();

    scene.sayKibibytes("1", 100);

    assertThat(slowest.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(other.closeReason()).isNull();
    assertThat(scene.rooms().slowClosed(SlowCause.LOG_FULL)).isEqualTo(1);
    assertThat(scene.rooms().logWaits()).isEqualTo(1);
  }

  /** On a machine whose writers get no CPU no member is slow: the log waits for them. */
  @Test
  void memberThatTheWritersDidNotComeToIsNeverClosed() {
    FakeMember forgotten = scene.join("1", 1);
    FakeMember another = scene.join("1", 2);
    writersRunFromTheSecondWaitOn();

    scene.sayKibibytes("1", 300);

    scene.runAll();
    assertThat(forgotten.closeReason()).isNull();
    assertThat(another.closeReason()).isNull();
    assertThat(scene.rooms().slowClosed()).isZero();
    assertThat(forgotten.texts()).hasSize(302);
  }

  /** Room 1 has two thirds of the share and room 2 the rest, and both sockets are full. */
  @Test
  void memberThatPinsMostIsClosedWhenTheShareIsUsedUp() {
    scene = scene(RoomScene.LOG);
    FakeMember most = scene.join("1", 1);
    FakeMember less = scene.join("2", 2);
    holdForItsPatience(most);
    holdForItsPatience(less);
    scene.sayKibibytes("1", 80);
    scene.sayKibibytes("2", 40);
    assertThat(scene.rooms().slowClosed()).isZero();

    scene.sayKibibytes("2", 20);

    assertThat(most.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(less.closeReason()).isNull();
    assertThat(scene.rooms().slowClosed(SlowCause.SHARE_USED_UP)).isEqualTo(1);
    assertThat(scene.rooms().logWaits()).isZero();
    assertThat(scene.rooms().logBytes()).isLessThanOrEqualTo(RoomScene.LOG);
  }

  /** There is only one wait: after it, all members without progress are known. */
  @Test
  void memberThatPinsMostIsClosedAfterOneWaitWhenItsWriteIsNew() {
    scene = scene(RoomScene.LOG);
    List<FakeMember> members =
        IntStream.range(0, 4).mapToObj(i -> scene.join(String.valueOf(i), i)).toList();
    members.forEach(each -> each.sink().hold());
    scene.runAll();
    long before = scene.rounds().nanoTime();
    for (int i = 0; i < 40; i++) {
      for (int room = 0; room < 4; room++) {
        scene.sayKibibytes(String.valueOf(room), 1);
      }
    }

    assertThat(scene.rooms().logWaits()).isEqualTo(1);
    assertThat(scene.rounds().nanoTime() - before)
        .isBetween(PATIENCE.toNanos(), PATIENCE.plusMillis(20).toNanos());
    assertThat(members).extracting(FakeMember::closeReason).contains(CloseReason.SLOW_CONSUMER);
  }

  @Test
  void shareThatIsUsedUpWaitsForTheWritersToo() {
    scene = scene(RoomScene.LOG);
    FakeMember one = scene.join("1", 1);
    FakeMember other = scene.join("2", 2);
    writersRunFromTheSecondWaitOn();

    sayInBothRooms(150);

    scene.runAll();
    assertThat(scene.rooms().slowClosed()).isZero();
    assertThat(one.texts()).hasSize(151);
    assertThat(other.texts()).hasSize(151);
  }

  /** A write that has been in flight for only a moment does not hold up the share. */
  @Test
  void memberWhoseWriteHasJustBegunIsNotClosedWhenTheShareIsUsedUp() {
    scene = scene(RoomScene.LOG);
    FakeMember one = scene.join("1", 1);
    FakeMember other = scene.join("2", 2);
    one.sink().hold();
    other.sink().hold();
    scene
        .rounds()
        .whileParked(() -> {
          finish(one.sink());
          finish(other.sink());
          scene.runAll();
        });

    sayInBothRooms(150);

    assertThat(scene.rooms().logWaits()).isPositive();
    assertThat(scene.rooms().slowClosed()).isZero();
  }

  @Test
  void shareIsReclaimedFromReadRoomsBeforeAnyoneIsClosed() {
    scene = scene(RoomScene.LOG);
    FakeMember a = scene.join("1", 1);
    FakeMember b = scene.join("2", 2);
    for (int i = 0; i < 150; i++) {
      sayInBothRooms(1);
      scene.runAll();
    }

    assertThat(scene.rooms().slowClosed()).isZero();
    assertThat(a.texts()).hasSize(151);
    assertThat(b.texts()).hasSize(151);
  }

  @Test
  void memberWhoseWriteMakesNoProgressForASendDeadlineIsClosed() {
    FakeMember stuck = scene.join("1", 1);
    FakeMember healthy = scene.join("1", 2);
    stuck.sink().hold();
    scene.runAll();
    scene.tick();
    scene.tickAfter(DEADLINE);
    assertThat(stuck.closeReason()).isNull();

    scene.tickAfter(Duration.ofMillis(1));

    assertThat(stuck.closeReason()).isEqualTo(CloseReason.SLOW_CONSUMER);
    assertThat(healthy.closeReason()).isNull();
    assertThat(scene.rooms().slowClosed(SlowCause.SEND_DEADLINE)).isEqualTo(1);
  }

  @Test
  void memberThatKeepsWritingIsNotClosedByTheDeadline() {
    FakeMember busy = scene.join("1", 1);
    busy.sink().hold();
    for (int i = 0; i < 10; i++) {
      scene.sayKibibytes("1", 1);
      scene.runAll();
      scene.tickAfter(DEADLINE.dividedBy(2));
      busy.sink().complete();
      scene.runAll();
    }

    assertThat(busy.closeReason()).isNull();
  }

  @Test
  void memberFarBehindIsNotReadUntilItCaughtUpHalf() {
    FakeMember member = scene.join("1", 1);
    member.sink().hold();
    scene.runAll();
    scene.sayKibibytes("1", 40);
    scene.runAll();
    assertThat(member.pauses()).containsExactly(true);

    member.sink().release();
    scene.runAll();

    assertThat(member.pauses()).containsExactly(true, false);
    assertThat(member.closeReason()).isNull();
  }

  @Test
  void membershipThatEndedIsReadAgainWhenWrittenToItsEnd() {
    FakeMember member = scene.join("1", 1);
    member.sink().hold();
    scene.runAll();
    scene.sayKibibytes("1", 40);
    scene.runAll();
    scene.leave("1", 1, "s1");
    member.sink().release();
    scene.runAll();
    scene.tick();

    assertThat(member.pauses()).containsExactly(true, false);
    assertThat(member.texts()).hasSize(42);
    assertThat(scene.rooms().logBytes()).isZero();
  }

  private static RoomScene scene(long share) {
    return new RoomScene(share, DEADLINE);
  }

  /** Stalls its socket for long enough to be noticed. */
  private void holdForItsPatience(FakeMember member) {
    member.sink().hold();
    scene.runAll();
    scene.tick();
    scene.tickAfter(PATIENCE);
  }

  private static void finish(FakeSink sink) {
    if (sink.isWriting()) {
      sink.complete();
    }
  }

  private void sayInBothRooms(int count) {
    for (int i = 0; i < count; i++) {
      scene.sayKibibytes("1", 1);
      scene.sayKibibytes("2", 1);
    }
  }

  /** One wait lasts a whole send deadline without any round. */
  private void writersRunFromTheSecondWaitOn() {
    scene
        .rounds()
        .whileParked(() -> {
          if (scene.rooms().logWaits() > 1) {
            scene.runAll();
          }
        });
  }
}
