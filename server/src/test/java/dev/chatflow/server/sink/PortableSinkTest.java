package dev.chatflow.server.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.LogRange;
import dev.chatflow.room.LogRanges;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PortableSinkTest {

  private final FakeWire wire = new FakeWire();
  private final CountingOwner owner = new CountingOwner();
  private final AtomicInteger done = new AtomicInteger();
  private final PortableSink sink = new PortableSink(wire, owner);

  private static LogRange texts(String... payloads) {
    return LogRanges.of(payloads);
  }

  @Test
  void rangeIsWrittenInOrderWithOneFlush() {
    sink.write(texts("a", "b", "c"), done::incrementAndGet);
    await().until(() -> done.get() == 1);
    assertThat(wire.events()).containsExactly("a", "b", "c", "flush");
  }

  @Test
  void mailGoesBeforeTheNextRangeAndNeverInsideOne() {
    wire.stall();
    sink.write(texts("a", "b"), done::incrementAndGet);
    wire.read(1);
    await().until(() -> wire.sent().size() == 1);
    sink.tell("error".getBytes(UTF_8));
    wire.read(2);
    await().until(() -> wire.sent().size() == 3);
    assertThat(wire.sent()).containsExactly("a", "b", "error");
  }

  @Test
  void stalledPeerIsClosedAsSlowAndABrokenOneIsLost() {
    wire.stall();
    sink.write(texts("a"), done::incrementAndGet);
    wire.timeOut();
    await().until(() -> wire.sent().contains("close 4008"));
    assertThat(owner.timeouts).hasValue(1);
    assertThat(owner.losses).hasValue(0);
    FakeWire other = new FakeWire();
    PortableSink broken = new PortableSink(other, owner);
    other.stall();
    other.breakDown();
    broken.write(texts("a"), done::incrementAndGet);
    await().until(() -> other.sent().contains("abort 1001"));
    assertThat(owner.timeouts).hasValue(1);
    assertThat(owner.losses).hasValue(1);
  }

  @Test
  void writerIsNotParkedByAPeerThatDoesNotRead() {
    wire.stall();
    sink.write(texts("a"), done::incrementAndGet);
    assertThat(done).hasValue(0);
    wire.read(1);
    await().until(() -> done.get() == 1);
  }

  @Test
  void failedWriteSettlesTheRangeAndCloses() {
    wire.stall();
    sink.write(texts("a"), done::incrementAndGet);
    wire.breakDown();
    await().until(() -> done.get() == 1);
    assertThat(sink.isClosed()).isTrue();
    await().until(() -> wire.events().contains("abort 1001"));
    sink.write(texts("b"), done::incrementAndGet);
    assertThat(done).hasValue(2);
  }

  @Test
  void closeFollowsTheMailboxAndNothingFollowsIt() {
    wire.stall();
    sink.tell("error".getBytes(UTF_8));
    sink.finish(CloseReason.REFUSED, "too many");
    sink.tell("late".getBytes(UTF_8));
    wire.read(2);
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).containsExactly("error", "close 1008");
  }

  @Test
  void fullMailboxIsReportedAndThenReportedHalfEmptyOnce() {
    wire.stall();
    boolean space = true;
    for (int i = 0; i <= MemberSink.MAILBOX_CAPACITY; i++) {
      space = sink.tell(("error " + i).getBytes(UTF_8));
    }
    assertThat(space).isFalse();
    wire.read(100);
    await().until(() -> owner.reopened.get() == 1);
    await().until(() -> wire.sent().size() == MemberSink.MAILBOX_CAPACITY + 1);
    assertThat(owner.reopened).hasValue(1);
  }

  @Test
  void slowMemberIsCutInTheMiddleOfAWrite() {
    wire.stall();
    sink.write(texts("a"), done::incrementAndGet);
    sink.cut(CloseReason.SLOW_CONSUMER);
    await().until(() -> wire.sent().contains("close 4008"));
    assertThat(sink.isClosed()).isTrue();
  }

  @Test
  void lostPeerIsNotWaitedFor() {
    wire.stall();
    sink.write(texts("a"), done::incrementAndGet);
    sink.abort(CloseReason.PEER_LOST);
    await().until(() -> wire.sent().contains("abort 1001"));
    assertThat(sink.isClosed()).isTrue();
    assertThat(owner.losses).hasValue(0); // counted by the code that gave it up
  }

  @Test
  void endOfTheConnectionSettlesAnIdleSink() {
    sink.ended();
    sink.write(texts("a"), done::incrementAndGet);
    assertThat(done).hasValue(1);
    assertThat(wire.sent()).isEmpty();
  }
}
