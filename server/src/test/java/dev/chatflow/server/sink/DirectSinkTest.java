package dev.chatflow.server.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.LogRange;
import dev.chatflow.room.LogRanges;
import dev.chatflow.server.sink.FakeDirectWire.Next;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DirectSinkTest {

  private final FakeDirectWire wire = new FakeDirectWire();
  private final FakeTimer timer = new FakeTimer();
  private final CountingOwner owner = new CountingOwner();
  private final AtomicInteger done = new AtomicInteger();
  private final DirectSink sink = new DirectSink(wire, owner, timer, Duration.ofSeconds(15));

  @AfterEach
  void rulesAreKept() {
    assertThat(wire.broken()).isEmpty();
  }

  private static LogRange texts(String... payloads) {
    return LogRanges.of(payloads);
  }

  /** A text frame of fewer than 126 bytes. */
  private static String frame(String payload) {
    return "\u0081" + (char) payload.length() + payload;
  }

  private static final String PING = "\u0089\0";

  private void write(String... payloads) {
    sink.write(texts(payloads), done::incrementAndGet);
  }

  private void tell(String text) {
    boolean _ = sink.tell(text.getBytes(UTF_8));
  }

  @Test
  void rangeLeavesInOneWriteByteForByte() {
    write("a", "bc", "d");
    assertThat(wire.sent()).isEqualTo(frame("a") + frame("bc") + frame("d"));
    assertThat(wire.writes()).isEqualTo(1);
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
  }

  @Test
  void writeThatWaitsIsDoneWhenItHasLeftAndKeepsThePermit() {
    wire.next(Next.WAITS);
    write("a");
    assertThat(done).hasValue(0);
    assertThat(wire.isPermitTaken()).isTrue();
    wire.complete();
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
  }

  @Test
  void mailGoesBeforeTheNextRangeAndNeverInsideOne() {
    wire.next(Next.WAITS);
    write("a");
    tell("error");
    assertThat(sink.ping()).isFalse();
    wire.next(Next.WRITTEN);
    wire.complete();
    assertThat(wire.sent()).isEqualTo(frame("a") + frame("error"));
    assertThat(done).hasValue(1);
  }

  @Test
  void rangeWaitsForMailInFlight() {
    wire.next(Next.WAITS);
    tell("error");
    write("a");
    assertThat(wire.writes()).isEqualTo(1);
    wire.next(Next.WRITTEN);
    wire.complete();
    assertThat(wire.sent()).isEqualTo(frame("error") + frame("a"));
  }

  @Test
  void idleSinkPings() {
    assertThat(sink.ping()).isTrue();
    assertThat(wire.sent()).isEqualTo(PING);
  }

  @Test
  void busyPermitIsTriedAgainLessAndLessOftenOneRetryPending() {
    wire.containerWrites(true);
    write("a");
    tell("error");
    for (int i = 0; i < 8; i++) {
      assertThat(timer.delays()).containsExactly(Math.min(1L << i, 64));
      timer.run();
    }
    wire.containerWrites(false);
    timer.run();
    assertThat(wire.sent()).isEqualTo(frame("error") + frame("a"));
    assertThat(timer.delays()).isEmpty();

    wire.containerWrites(true);
    write("b");
    assertThat(timer.delays()).containsExactly(1L);
  }

  @Test
  void writeThatIsNotStartedIsTriedAgainWhole() {
    wire.next(Next.NOT_STARTED);
    write("a");
    assertThat(wire.isPermitTaken()).isFalse();
    assertThat(done).hasValue(0);
    timer.run();
    assertThat(wire.sent()).isEqualTo(frame("a"));
    assertThat(done).hasValue(1);
  }

  @Test
  void errorAtOnceSettlesOnceAndCloses() {
    wire.next(Next.FAILS_AT_ONCE);
    write("a");
    assertThat(done).hasValue(1);
    assertThat(sink.isClosed()).isTrue();
    assertThat(wire.isPermitTaken()).isFalse();
    await().until(() -> wire.closes().size() == 1);
    assertThat(wire.closes().getFirst()).startsWith("abort 1001");
    assertThat(owner.losses).hasValue(1);
    assertThat(owner.timeouts).hasValue(0);
    write("b");
    assertThat(done).hasValue(2);
    assertThat(wire.sent()).isEmpty();
  }

  @Test
  void writeThatThrowsIsAFailedWrite() {
    wire.next(Next.THROWS);
    write("a");
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
    await().until(() -> owner.closesSent.get() == 1);
  }

  @Test
  void failedWriteReleasesSettlesAndCloses() {
    wire.next(Next.WAITS);
    write("a");
    tell("never");
    wire.fail();
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.sent()).isEmpty();
  }

  @Test
  void timedOutWriteIsReportedAsASlowConsumer() {
    wire.next(Next.WAITS);
    write("a");
    wire.fail(new SocketTimeoutException());
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.closes().getFirst()).startsWith("4008");
    assertThat(owner.timeouts).hasValue(1);
    assertThat(owner.losses).hasValue(0);
  }

  @Test
  void writeThatFailsAfterACloseIsNoNews() {
    wire.next(Next.WAITS);
    write("a");
    sink.finish(CloseReason.GOING_AWAY, "bye");
    wire.fail();
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.closes()).containsExactly("1001 bye");
    assertThat(owner.losses).hasValue(0);
  }

  @Test
  void writeOfAConnectionThatWasClosedMeanwhileIsNoNews() {
    wire.next(Next.WAITS);
    write("a");
    wire.fail(new ClosedChannelException());
    assertThat(done).hasValue(1);
    assertThat(owner.losses).hasValue(0);
    assertThat(owner.timeouts).hasValue(0);
  }

  @Test
  void lostPeerIsNotWaitedForAndItsWriteIsSettled() {
    wire.next(Next.WAITS);
    write("a");
    sink.abort(CloseReason.PEER_LOST);
    assertThat(done).hasValue(1);
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.closes().getFirst()).startsWith("abort 1001");
    wire.fail();
    assertThat(done).hasValue(1);
    assertThat(wire.closes()).hasSize(1);
  }

  @Test
  void nothingFollowsACloseFrameOfTheContainer() {
    wire.containerSentClose();
    write("a");
    assertThat(done).hasValue(1);
    assertThat(wire.writes()).isZero();
    assertThat(wire.isPermitTaken()).isFalse();
    assertThat(sink.isClosed()).isTrue();
  }

  @Test
  void closeFollowsTheWriteInFlightAndTheMailButNoFurtherRange() {
    wire.next(Next.WAITS);
    write("a");
    tell("error");
    sink.finish(CloseReason.REFUSED, "too many");
    assertThat(sink.isClosed()).isTrue();
    write("late");
    tell("late");
    assertThat(done).hasValue(1);
    wire.next(Next.WRITTEN);
    wire.complete();
    assertThat(done).hasValue(2);
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.sent()).isEqualTo(frame("a") + frame("error"));
    assertThat(wire.closes()).containsExactly("1008 too many");
  }

  @Test
  void cutDropsTheMailAndWaitsForTheWriteInFlight() {
    wire.next(Next.WAITS);
    write("a");
    tell("error");
    sink.cut(CloseReason.SLOW_CONSUMER);
    assertThat(wire.closes()).isEmpty();
    wire.complete();
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.sent()).isEqualTo(frame("a"));
  }

  @Test
  void cutMissesItsDeadlineAndClosesInTheMiddleOfAWrite() {
    wire.next(Next.WAITS);
    write("a");
    sink.cut(CloseReason.SLOW_CONSUMER);
    assertThat(timer.delays()).containsExactly(15_000L);
    timer.run();
    await().until(() -> owner.closesSent.get() == 1);
    sink.ended();
    assertThat(done).hasValue(1);
  }

  @Test
  void idleSinkIsClosedAtOnce() {
    sink.cut(CloseReason.SLOW_CONSUMER);
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(timer.delays()).isEmpty();
  }

  @Test
  void rangeThatCouldNotBeginIsSettledByTheClose() {
    wire.containerWrites(true);
    write("a");
    sink.finish(CloseReason.GOING_AWAY, "bye");
    assertThat(done).hasValue(1);
    wire.containerWrites(false);
    timer.run();
    await().until(() -> owner.closesSent.get() == 1);
    assertThat(wire.sent()).isEmpty();
    assertThat(wire.closes()).containsExactly("1001 bye");
  }

  @Test
  void endOfTheConnectionSettlesAWriteAndItsLateHandlerIsIgnored() {
    wire.next(Next.WAITS);
    write("a");
    sink.ended();
    assertThat(done).hasValue(1);
    wire.complete();
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
    assertThat(wire.writes()).isEqualTo(1);
    assertThat(wire.closes()).isEmpty();
  }

  @Test
  void lateFailureOfAnEndedConnectionClosesNothing() {
    wire.next(Next.WAITS);
    write("a");
    sink.ended();
    wire.fail();
    assertThat(done).hasValue(1);
    assertThat(wire.isPermitTaken()).isFalse();
    assertThat(owner.closesSent).hasValue(0);
  }

  @Test
  void endedSinkTakesNothing() {
    sink.ended();
    write("a");
    tell("error");
    assertThat(sink.ping()).isFalse();
    assertThat(done).hasValue(1);
    assertThat(wire.writes()).isZero();
  }

  @Test
  void fullMailboxIsReportedAndThenReportedHalfEmptyOnce() {
    wire.next(Next.WAITS);
    boolean space = true;
    for (int i = 0; i <= MemberSink.MAILBOX_CAPACITY; i++) {
      space = sink.tell(("error " + i).getBytes(UTF_8));
    }
    assertThat(space).isFalse();
    assertThat(sink.isMailboxFull()).isTrue();
    wire.next(Next.WRITTEN);
    wire.complete();
    assertThat(owner.reopened).hasValue(1);
    assertThat(sink.isMailboxFull()).isFalse();
  }

  @Test
  void aThousandRangesWithoutWaitingNeedNoStack() {
    for (int i = 0; i < 1_000; i++) {
      write("a");
    }
    assertThat(done).hasValue(1_000);
  }
}
