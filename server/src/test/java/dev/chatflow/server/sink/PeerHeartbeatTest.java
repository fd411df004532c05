package dev.chatflow.server.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.LogRanges;
import dev.chatflow.server.sink.FakeDirectWire.Next;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerHeartbeatTest {

  private static final String PING = "\u0089\0";

  private final FakeDirectWire wire = new FakeDirectWire();
  private final FakeTimer timer = new FakeTimer();
  private final DirectSink sink =
      new DirectSink(wire, new CountingOwner(), timer, Duration.ofSeconds(15));
  private final PeerHeartbeat heartbeat = new PeerHeartbeat(sink);

  @AfterEach
  void rulesAreKept() {
    assertThat(wire.broken()).isEmpty();
  }

  @Test
  void silentPeerIsPingedAndHasOneBeatToAnswer() {
    assertThat(heartbeat.beat()).as("new").isTrue();
    assertThat(wire.sent()).isEmpty();
    assertThat(heartbeat.beat()).as("silent for a beat").isTrue();
    assertThat(wire.sent()).isEqualTo(PING);
    assertThat(heartbeat.beat()).as("no answer").isFalse();
  }

  @Test
  void peerThatAnswersStays() {
    for (int i = 0; i < 3; i++) {
      assertThat(heartbeat.beat()).isTrue();
      assertThat(heartbeat.beat()).isTrue();
      heartbeat.received();
    }
    assertThat(heartbeat.beat()).isTrue();
    assertThat(heartbeat.beat()).isTrue();
    assertThat(heartbeat.beat()).isFalse();
  }

  /** The system accepts bytes for a stopped process, so only signs from the process count. */
  @Test
  void peerThatIsWrittenToIsJudgedByItsSilence() {
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(heartbeat.beat()).isTrue();
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(heartbeat.beat()).isTrue();
    assertThat(wire.sent()).endsWith(PING);
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(heartbeat.beat()).isFalse();
  }

  /** The write has its own deadline. */
  @Test
  void peerThatKeepsAWriteWaitingIsNotJudged() {
    wire.next(Next.WAITS);
    sink.write(LogRanges.of("chat"), () -> {});
    for (int i = 0; i < 3; i++) {
      assertThat(heartbeat.beat()).isTrue();
    }
    assertThat(wire.sent()).isEmpty();
  }
}
