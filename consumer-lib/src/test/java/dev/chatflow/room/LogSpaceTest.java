package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When segments of a room's log are released, and when not. */
class LogSpaceTest {

  private final RoomScene scene = new RoomScene(4 * RoomScene.LOG, Duration.ofMillis(20));

  @Test
  void tickGivesReadSegmentsBackAndAnIdleRoomHoldsNone() {
    FakeMember member = scene.join("1", 1);
    scene.sayKibibytes("1", 1);
    scene.sayKibibytes("1", 1);
    assertThat(scene.rooms().logBytes()).isEqualTo(3 * RoomScene.SEGMENT);
    scene.tick();
    assertThat(scene.rooms().logBytes()).isEqualTo(3 * RoomScene.SEGMENT);

    scene.runAll();
    scene.tick();

    assertThat(scene.rooms().logBytes()).isZero();
    scene.say("1", 9, "on");
    scene.runAll();
    assertThat(member.texts()).hasSize(4).endsWith("on");
  }

  @Test
  void bytesInFlightOfAClosedMemberAreNotOverwritten() {
    FakeMember slow = scene.join("1", 1);
    scene.join("1", 2);
    slow.sink().hold();

    scene.fillLog("1");
    scene.fillLog("1");
    slow.sink().complete();

    assertThat(slow.texts()).startsWith("JOIN 1 s1", "JOIN 2 s2");
    scene.tick();
    assertThat(scene.rooms().logBytes()).isZero();
  }

  @Test
  void writeInFlightPinsItsSegmentsAlsoOnAClosedSink() {
    FakeMember member = scene.join("1", 1);
    member.sink().hold();
    scene.runAll();
    member.sink().close();

    scene.tick();
    assertThat(scene.rooms().logBytes()).isEqualTo(RoomScene.SEGMENT);
    member.sink().fail();
    scene.tick();

    assertThat(scene.rooms().logBytes()).isZero();
  }

  @Test
  void segmentsOfALostWriteAreLeftToTheCollectorAfterASendDeadline() {
    FakeMember member = scene.join("1", 1);
    member.sink().hold();
    scene.runAll();
    member.sink().close();
    scene.tick();
    scene.tickAfter(Duration.ofMillis(20));
    assertThat(scene.rooms().logBytes()).isEqualTo(RoomScene.SEGMENT);

    scene.tickAfter(Duration.ofMillis(1));
    assertThat(scene.rooms().logBytes()).isZero();

    scene.join("1", 2);
    scene.fillLog("1");
    member.sink().complete();
    assertThat(member.texts()).containsExactly("JOIN 1 s1");
  }

  @Test
  void bytesOfAWriteThatEndedOnAClosedSinkAreNotUsedAgain() {
    FakeMember member = scene.join("1", 1);
    member.sink().hold();
    scene.runAll();
    member.sink().close();
    member.sink().fail();
    scene.tick();

    scene.join("1", 2);
    scene.fillLog("1");
    scene.fillLog("1");

    assertThat(member.sink().lostTexts()).containsExactly("JOIN 1 s1");
  }

  @Test
  void roomWithoutReadersKeepsNothing() {
    scene.sayKibibytes("1", 1);

    assertThat(scene.rooms().logBytes()).isZero();
    assertThat(scene.rounds().isScheduled()).isFalse();
  }
}
