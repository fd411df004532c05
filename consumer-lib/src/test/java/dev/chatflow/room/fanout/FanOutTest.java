package dev.chatflow.room.fanout;

import static dev.chatflow.room.Soon.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FakeMember;
import dev.chatflow.room.JoinStamp;
import dev.chatflow.room.Member;
import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.log.FrameSink;
import dev.chatflow.room.log.LogRange;
import dev.chatflow.room.log.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class FanOutTest {

  private static final long MILLI = 1_000_000;

  private final ManualFanOut rounds =
      new ManualFanOut(new FanOutConfig(1, 3, Duration.ofMillis(25)));
  private final Rooms rooms = rooms(rounds.fanOut());
  private int texts;

  @Test
  void idleRoomIsFlushedAtOnce() {
    FakeMember member = join("1", "m");

    assertThat(rounds.nextDelayNanos()).isZero();
    rounds.runOne();
    assertThat(member.texts()).hasSize(1);
  }

  @Test
  void busyRoomIsFlushedOncePerPace() {
    FakeMember member = join("1", "m");
    rounds.runOne();

    say("1");
    say("1");
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
    join("1", "m");

    rounds.runAll();

    assertThat(rounds.isScheduled()).isFalse();
    assertThat(rounds.fanOut().rounds()).isEqualTo(1);
  }

  @Test
  void roomIsScheduledOnceHoweverMuchIsAppended() {
    join("1", "m");
    for (int i = 0; i < 10; i++) {
      say("1");
    }

    assertThat(rounds.size()).isEqualTo(1);
    assertThat(rounds.fanOut().roomsWaiting()).isEqualTo(1);
    rounds.runOne();
    say("1");
    say("1");
    assertThat(rounds.size()).isEqualTo(1);
  }

  @Test
  void paceDoublesUpToItsBoundWhileWritesAreInTheAir() {
    FakeMember member = join("1", "m");
    member.sink().hold();
    rounds.runOne();

    assertThat(pacesOfBusyRounds(6)).containsExactly(2L, 4L, 8L, 16L, 25L, 25L);
  }

  @Test
  void paceHalvesDownToOneMilliWhenWritersKeepUp() {
    FakeMember member = join("1", "m");
    member.sink().hold();
    rounds.runOne();
    pacesOfBusyRounds(6);
    member.sink().release();

    assertThat(pacesOfBusyRounds(6)).containsExactly(12L, 6L, 3L, 1L, 1L, 1L);
  }

  @Test
  void stalledMembersDoNotStretchThePace() {
    FakeMember stalled = join("1", "stalled");
    FakeMember healthy = join("1", "healthy");
    stalled.sink().hold();
    pacesOfBusyRounds(20);

    assertThat(pacesOfBusyRounds(1)).containsExactly(1L);
    assertThat(healthy.texts()).hasSize(22);
  }

  @Test
  void paceStretchesWhenRoundsComeLate() {
    join("1", "m");
    rounds.runOne();
    say("1");
    rounds.advance(Duration.ofMillis(3));

    rounds.runOne();

    assertThat(rounds.nextDelayNanos()).isEqualTo(2 * MILLI);
  }

  @Test
  void paceStretchesWhileRoundsTakeMostOfTheWritersTime() {
    SlowWriting slow = new SlowWriting(rounds, Duration.ofMillis(30));
    rooms.room(new RoomId("1")).accept(joined(1, "x"), slow, 0);
    rounds.runOne();

    assertThat(pacesOfBusyRounds(4)).containsExactly(4L, 8L, 16L, 25L);

    slow.takes = Duration.ZERO;
    assertThat(pacesOfBusyRounds(2)).containsExactly(12L, 6L);
  }

  @Test
  void largeRoomIsServedInSlicesBetweenWhichOthersGetTheirTurn() {
    List<FakeMember> large = new ArrayList<>();
    for (int i = 0; i < 2 * Round.SLICE_MEMBERS + 1; i++) {
      large.add(join("1", "member " + i));
    }
    FakeMember small = join("2", "small");

    rounds.runOne();
    assertThat(served(large)).isEqualTo(Round.SLICE_MEMBERS);
    assertThat(small.texts()).isEmpty();
    rounds.runOne();
    assertThat(small.texts()).hasSize(1);
    assertThat(served(large)).isEqualTo(Round.SLICE_MEMBERS);
    rounds.runOne();
    rounds.runOne();

    assertThat(served(large)).isEqualTo(large.size());
    assertThat(rounds.fanOut().rounds()).isEqualTo(2);
    assertThat(rounds.fanOut().writes()).isEqualTo(large.size() + 1);
    assertThat(large.getFirst().texts()).hasSize(large.size());
    assertThat(large.getLast().texts()).hasSize(1);
  }

  @Test
  void whatIsAppendedBetweenSlicesReachesEverybody() {
    List<FakeMember> large = new ArrayList<>();
    for (int i = 0; i < Round.SLICE_MEMBERS + 1; i++) {
      large.add(join("1", "member " + i));
    }
    rounds.runOne();
    say("1");
    rounds.runAll();

    assertThat(large).allMatch(member -> member.texts().getLast().equals("text 1"));
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void sinkThatThrowsInOneSliceHarmsOnlyItself() {
    List<FakeMember> large = new ArrayList<>();
    for (int i = 0; i < 2 * Round.SLICE_MEMBERS; i++) {
      large.add(join("1", "member " + i));
    }
    large.get(10).sink().breakNextWrite();

    assertThatThrownBy(rounds::runOne).isInstanceOf(IllegalStateException.class);
    rounds.runAll();

    assertThat(served(large)).isEqualTo(large.size() - 1);
    assertThat(rounds.isScheduled()).isFalse();
  }

  private static long served(List<FakeMember> members) {
    return members.stream().filter(member -> !member.texts().isEmpty()).count();
  }

  @Test
  void busyRoomDoesNotStarveOthers() {
    FakeMember busy = join("1", "busy");
    FakeMember other = join("2", "other");

    rounds.runOne();
    say("1");
    rounds.runOne();

    assertThat(busy.texts()).hasSize(1);
    assertThat(other.texts()).hasSize(1);
  }

  @Test
  void appenderWaitsWhileTooManyRoomsWait() {
    join("1", "m");
    join("2", "m");
    join("3", "m");
    Thread appender = Thread.ofPlatform().start(() -> join("4", "m"));
    soon().until(() -> appender.getState() == Thread.State.WAITING);
    assertThat(rounds.fanOut().roomsWaiting()).isEqualTo(3);

    rounds.runOne();

    soon().until(() -> !appender.isAlive());
    assertThat(rounds.fanOut().roomsWaiting()).isEqualTo(3);
  }

  @Test
  void appendToARoomThatWaitsAlreadyDoesNotWait() {
    join("1", "m");
    join("2", "m");
    join("3", "m");

    say("1");

    assertThat(rounds.fanOut().roomsWaiting()).isEqualTo(3);
  }

  @Test
  void completionNeverWaits() {
    FakeMember member = join("1", "m");
    member.sink().hold();
    rounds.runOne();
    say("1");
    rounds.advance(Duration.ofMillis(1));
    rounds.runOne();
    rounds.advance(Duration.ofMillis(2));
    rounds.runOne();
    join("2", "m");
    join("3", "m");
    join("4", "m");

    member.sink().release();

    assertThat(rounds.fanOut().roomsWaiting()).isEqualTo(4);
    rounds.runAll();
    assertThat(member.texts()).hasSize(2);
  }

  @Test
  void closeFreesWaitingAppenders() {
    join("1", "m");
    join("2", "m");
    join("3", "m");
    Thread appender = Thread.ofPlatform().start(() -> join("4", "m"));
    soon().until(() -> appender.getState() == Thread.State.WAITING);

    rounds.fanOut().close();

    soon().until(() -> !appender.isAlive());
  }

  @Test
  void interruptedAppenderGoesOnInterrupted() {
    join("1", "m");
    join("2", "m");
    join("3", "m");
    Set<Boolean> interrupted = ConcurrentHashMap.newKeySet();
    Thread appender =
        Thread.ofPlatform()
            .start(() -> {
              join("4", "m");
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    soon().until(() -> appender.getState() == Thread.State.WAITING);

    appender.interrupt();

    soon().until(() -> interrupted.contains(true));
  }

  @Test
  void writesFramesAndBytesAreCountedExactly() {
    FakeMember a = join("1", "a");
    FakeMember b = join("1", "b");
    for (int i = 0; i < 1000; i++) {
      say("1");
      if (i % 7 == 0) {
        rounds.runAll();
      }
    }
    rounds.runAll();

    FanOut fanOut = rounds.fanOut();
    assertThat(fanOut.deliveries()).isEqualTo(2 + 1 + 2 * 1000);
    assertThat(fanOut.writes()).isEqualTo(a.sink().writes() + b.sink().writes());
    assertThat(fanOut.bytesOut()).isEqualTo(a.sink().bytes().length + b.sink().bytes().length);
  }

  @Test
  void roundsRunOnNamedWriterThreads() {
    try (FanOut fanOut = new FanOut(new FanOutConfig(2, 10, Duration.ofMillis(1)))) {
      fanOut.start();
      Rooms real = rooms(fanOut);
      Set<String> names = ConcurrentHashMap.newKeySet();
      Member member = new ThreadNaming(names);

      real.room(new RoomId("1")).accept(joined(1, "x"), member, 0);

      soon().until(() -> !names.isEmpty());
      assertThat(names).allMatch(name -> name.matches("chat-writer-[12]"));
    }
  }

  @Test
  void sinkThatThrowsHarmsOnlyItself() {
    FakeMember broken = join("1", "broken");
    FakeMember healthy = join("1", "healthy");
    broken.sink().breakNextWrite();

    assertThatThrownBy(rounds::runOne).isInstanceOf(IllegalStateException.class);
    rounds.runAll();

    assertThat(healthy.texts()).hasSize(1);
    assertThat(rounds.isScheduled()).isFalse();
  }

  @Test
  void roundThatThrowsIsReportedAsItsThreadsException() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Set<String> reports = ConcurrentHashMap.newKeySet();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> reports.add(thread.getName() + ": " + thrown.getMessage()));
    try (FanOut fanOut = new FanOut(new FanOutConfig(1, 10, Duration.ofMillis(1)))) {
      fanOut.start();
      FakeMember broken = new FakeMember("broken");
      broken.sink().breakNextWrite();

      rooms(fanOut).room(new RoomId("1")).accept(joined(1, "broken"), broken, 0);

      soon()
          .dontCatchUncaughtExceptions()
          .until(() -> reports.contains("chat-writer-1: broken sink"));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void nothingIsWrittenAfterClose() {
    FanOut fanOut = new FanOut(new FanOutConfig(1, 10, Duration.ofMillis(1)));
    fanOut.start();
    fanOut.close();
    FakeMember member = new FakeMember("m");

    rooms(fanOut).room(new RoomId("1")).accept(joined(1, "m"), member, 0);

    assertThat(fanOut.rounds()).isZero();
    assertThat(member.texts()).isEmpty();
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> new FanOutConfig(0, 1, Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FanOutConfig(1, 0, Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FanOutConfig(1, 1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Appends and runs rounds as they fall due; the milliseconds to each next one. */
  private List<Long> pacesOfBusyRounds(int count) {
    List<Long> paces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      say("1");
      rounds.advance(Duration.ofNanos(rounds.nextDelayNanos()));
      rounds.runOne();
      paces.add(rounds.nextDelayNanos() / MILLI);
    }
    return paces;
  }

  private static Rooms rooms(FanOut fanOut) {
    return new Rooms(
        new RoomsConfig(4, 4 << 20, 64 << 20, 256 << 10, Duration.ofSeconds(15), 1 << 20), fanOut);
  }

  private FakeMember join(String room, String session) {
    FakeMember member = new FakeMember(session);
    rooms.room(new RoomId(room)).accept(joined(session.hashCode(), session), member, 0);
    return member;
  }

  private static RoomEvent joined(int user, String session) {
    return new RoomEvent.Joined(user, "user", new JoinStamp(1, "s", session), payload("JOIN"));
  }

  private void say(String room) {
    texts++;
    rooms
        .room(new RoomId(room))
        .accept(new RoomEvent.Said(1, texts, payload("text " + texts)), null, 0);
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(UTF_8));
  }

  /** A member whose writes take their time, on the clock that is moved by hand. */
  private static final class SlowWriting implements Member, FrameSink {
    private final ManualFanOut clock;
    private Duration takes;

    SlowWriting(ManualFanOut clock, Duration takes) {
      this.clock = clock;
      this.takes = takes;
    }

    @Override
    public String session() {
      return "x";
    }

    @Override
    public FrameSink sink() {
      return this;
    }

    @Override
    public void write(LogRange range, Runnable done) {
      clock.advance(takes);
      done.run();
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void close(CloseReason reason) {}

    @Override
    public void pauseWhileBehind(boolean behind) {}
  }

  private record ThreadNaming(Set<String> names) implements Member, FrameSink {

    @Override
    public String session() {
      return "x";
    }

    @Override
    public FrameSink sink() {
      return this;
    }

    @Override
    public void write(LogRange range, Runnable done) {
      names.add(Thread.currentThread().getName());
      done.run();
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void close(CloseReason reason) {}

    @Override
    public void pauseWhileBehind(boolean behind) {}
  }
}
