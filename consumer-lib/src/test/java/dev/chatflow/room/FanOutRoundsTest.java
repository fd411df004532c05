package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * When a room's round is due, how the pace follows the writers, and which members a round serves.
 */
class FanOutRoundsTest {

  private static final long MILLI = 1_000_000;
  private static final int SLICE = Round.SLICE_MEMBERS;

  private final FanOutScene scene = new FanOutScene();
  private final ManualFanOut rounds = scene.rounds();

  @Test
  void idleRoomIsFlushedAtOnce() {
    FakeMember member = scene.join("1", "m");

    assertThat(rounds.nextDelayNanos()).isZero();
    rounds.runOne();
    assertThat(member.texts()).hasSize(1);
  }

  @Test
  void busyRoomIsFlushedOncePerPace() {
    FakeMember member = scene.join("1", "m");
    rounds.runOne();

    scene.say("1", 2);
    rounds.runDue();
    assertThat(member.sink().writes()).isEqualTo(1);
    assertThat(rounds.nextDelayNanos()).isEqualTo(MILLI);

    rounds.advance(Duration.ofMillis(1));
    rounds.runDue();
    assertThat(member.sink().writes()).isEqualTo(2);
    assertThat(member.texts()).hasSize(3);
  }

  @Test
  void roomRestsAfterAPaceWithoutAppends() {
    scene.join("1", "m");

    rounds.runAll();

    assertThat(rounds.isScheduled()).isFalse();
    assertThat(scene.fanOut().rounds()).isEqualTo(1);
  }

  @Test
  void roomIsScheduledOnceHoweverMuchIsAppended() {
    scene.join("1", "m");
    scene.say("1", 10);

    assertThat(rounds.size()).isEqualTo(1);
    assertThat(scene.fanOut().roomsWaiting()).isEqualTo(1);
    rounds.runOne();
    scene.say("1", 2);
    assertThat(rounds.size()).isEqualTo(1);
  }

  @Test
  void busyRoomDoesNotStarveOthers() {
    FakeMember busy = scene.join("1", "busy");
    FakeMember other = scene.join("2", "other");

    rounds.runOne();
    scene.say("1");
    rounds.runOne();

    assertThat(busy.texts()).hasSize(1);
    assertThat(other.texts()).hasSize(1);
  }

  @Test
  void paceDoublesUpToItsBoundWhileWritesAreInFlight() {
    scene.joinHeld("1");

    assertThat(pacesOfBusyRounds(6)).containsExactly(2L, 4L, 8L, 16L, 25L, 25L);
  }

  /** A task after each round woke a writer for nothing. */
  @Test
  void roomWithoutWorkSchedulesNothing() {
    scene.join("1", "m");
    rounds.runOne();

    assertThat(rounds.isScheduled()).isFalse();
    scene.say("1");
    assertThat(rounds.nextDelayNanos()).isEqualTo(MILLI);
  }

  @Test
  void paceHalvesDownToOneMilliWhenWritersKeepUp() {
    FakeMember member = scene.joinHeld("1");
    pacesOfBusyRounds(6);
    member.sink().release();

    assertThat(pacesOfBusyRounds(6)).containsExactly(12L, 6L, 3L, 1L, 1L, 1L);
  }

  @Test
  void stalledMembersDoNotStretchThePace() {
    FakeMember stalled = scene.join("1", "stalled");
    FakeMember healthy = scene.join("1", "healthy");
    stalled.sink().hold();
    pacesOfBusyRounds(20);

    assertThat(pacesOfBusyRounds(1)).containsExactly(1L);
    assertThat(healthy.texts()).hasSize(23);
  }

  @Test
  void paceStretchesWhenRoundsComeLate() {
    scene.join("1", "m");
    rounds.runOne();
    scene.say("1");
    rounds.advance(Duration.ofMillis(3));

    rounds.runOne();

    scene.say("1");
    assertThat(rounds.nextDelayNanos()).isEqualTo(2 * MILLI);
  }

  @Test
  void paceStretchesWhileRoundsTakeMostOfTheWritersTime() {
    AtomicReference<Duration> writeTakes = new AtomicReference<>(Duration.ofMillis(30));
    scene.join("1", new OnWrite(() -> rounds.advance(writeTakes.get())));
    rounds.runOne();

    assertThat(pacesOfBusyRounds(4)).containsExactly(4L, 8L, 16L, 25L);

    writeTakes.set(Duration.ZERO);
    assertThat(pacesOfBusyRounds(2)).containsExactly(12L, 6L);
  }

  @Test
  void largeRoomIsServedInSlicesBetweenWhichOthersGetTheirTurn() {
    List<FakeMember> large = scene.crowd("1", 2 * SLICE + 1);
    FakeMember small = scene.join("2", "small");

    rounds.runOne();
    assertThat(served(large)).isEqualTo(SLICE);
    assertThat(small.texts()).isEmpty();

    rounds.runOne();
    assertThat(served(large)).isEqualTo(SLICE);
    assertThat(small.texts()).hasSize(1);

    rounds.runOne();
    rounds.runOne();
    assertThat(served(large)).isEqualTo(large.size());
  }

  @Test
  void slicesAreOneRoundWithOneWritePerMember() {
    List<FakeMember> large = scene.crowd("1", 2 * SLICE + 1);
    scene.join("2", "small");

    rounds.runDue();

    assertThat(scene.fanOut().rounds()).isEqualTo(2);
    assertThat(scene.fanOut().writes()).isEqualTo(large.size() + 1);
    assertThat(large.getFirst().texts()).hasSize(large.size());
    assertThat(large.getLast().texts()).hasSize(1);
  }

  @Test
  void framesAppendedBetweenSlicesReachAllMembers() {
    List<FakeMember> large = scene.crowd("1", SLICE + 1);
    rounds.runOne();

    scene.say("1");
    rounds.runAll();

    assertThat(large).allMatch(member -> member.texts().getLast().equals("text 1"));
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void sinkThatThrowsInOneSliceHarmsOnlyItself() {
    List<FakeMember> large = scene.crowd("1", 2 * SLICE);
    large.get(10).sink().breakNextWrite();

    assertThatThrownBy(rounds::runOne).isInstanceOf(IllegalStateException.class);
    rounds.runAll();

    assertThat(served(large)).isEqualTo(large.size() - 1);
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void sinkThatThrowsHarmsOnlyItself() {
    FakeMember broken = scene.join("1", "broken");
    FakeMember healthy = scene.join("1", "healthy");
    broken.sink().breakNextWrite();

    assertThatThrownBy(rounds::runOne).isInstanceOf(IllegalStateException.class);
    rounds.runAll();

    assertThat(healthy.texts()).hasSize(1);
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void writesFramesAndBytesAreCountedExactly() {
    FakeMember a = scene.join("1", "a");
    FakeMember b = scene.join("1", "b");
    for (int i = 0; i < 1000; i++) {
      scene.say("1");
      if (i % 7 == 0) {
        rounds.runAll();
      }
    }
    rounds.runAll();

    FanOut fanOut = scene.fanOut();
    assertThat(fanOut.deliveries()).isEqualTo(2 + 1 + 2 * 1000);
    assertThat(fanOut.writes()).isEqualTo(a.sink().writes() + b.sink().writes());
    assertThat(fanOut.bytesOut()).isEqualTo(a.sink().bytes().length + b.sink().bytes().length);
  }

  /** Appends and runs rounds as they fall due; returns the milliseconds to each next one. */
  private List<Long> pacesOfBusyRounds(int count) {
    List<Long> paces = new ArrayList<>();
    scene.say("1");
    for (int i = 0; i < count; i++) {
      rounds.advance(Duration.ofNanos(rounds.nextDelayNanos()));
      rounds.runOne();
      scene.say("1");
      paces.add(rounds.nextDelayNanos() / MILLI);
    }
    return paces;
  }

  private static long served(List<FakeMember> members) {
    return members.stream().filter(member -> !member.texts().isEmpty()).count();
  }
}
