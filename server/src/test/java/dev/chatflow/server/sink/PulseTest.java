package dev.chatflow.server.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.LogRanges;
import dev.chatflow.server.sink.FakeDirectWire.Next;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PulseTest {

  private static final String PING = "\u0089\0";

  private final FakeDirectWire wire = new FakeDirectWire();
  private final FakeTimer timer = new FakeTimer();
  private final DirectSink sink =
      new DirectSink(wire, new CountingOwner(), timer, Duration.ofSeconds(15));
  private final Pulse pulse = new Pulse(sink);

  @AfterEach
  void rulesAreKept() {
    assertThat(wire.broken()).isEmpty();
  }

  @Test
  void silentPeerIsPingedAndHasOneBeatToAnswer() {
    assertThat(pulse.beat()).as("new").isTrue();
    assertThat(wire.sent()).isEmpty();
    assertThat(pulse.beat()).as("silent for a beat").isTrue();
    assertThat(wire.sent()).isEqualTo(PING);
    assertThat(pulse.beat()).as("no answer").isFalse();
  }

  @Test
  void peerThatAnswersStays() {
    for (int i = 0; i < 3; i++) {
      assertThat(pulse.beat()).isTrue();
      assertThat(pulse.beat()).isTrue();
      pulse.hear();
    }
    assertThat(pulse.beat()).isTrue();
    assertThat(pulse.beat()).isTrue();
    assertThat(pulse.beat()).isFalse();
  }

  /** The system takes what is written for a process that is stopped: only its own signs count. */
  @Test
  void peerThatIsWrittenToIsJudgedByItsSilence() {
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(pulse.beat()).isTrue();
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(pulse.beat()).isTrue();
    assertThat(wire.sent()).endsWith(PING);
    sink.write(LogRanges.of("chat"), () -> {});
    assertThat(pulse.beat()).isFalse();
  }

  /** The write's own deadline is for that. */
  @Test
  void peerThatKeepsAWriteWaitingIsNotJudged() {
    wire.next(Next.WAITS);
    sink.write(LogRanges.of("chat"), () -> {});
    for (int i = 0; i < 3; i++) {
      assertThat(pulse.beat()).isTrue();
    }
    assertThat(wire.sent()).isEmpty();
  }
}
