package dev.chatflow.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AckWindowTest {

  private static final long SHORTLY = AckWindow.PATIENCE_NANOS - 1;

  private final List<Long> acks = new ArrayList<>();
  private final RecordingMeter meter = new RecordingMeter();
  private final AckWindow window = new AckWindow(acks::add, meter);

  @Test
  void sixteenMessagesAreAcknowledgedAtOnce() throws IOException {
    append(1, 15, 0);
    assertThat(acks).isEmpty();
    append(16, 16, 0);
    assertThat(acks).containsExactly(16L);
    assertThat(window.unacked()).isZero();
  }

  @Test
  void fewMessagesAreAcknowledgedAFewMillisecondsAfterTheFirst() throws IOException {
    append(1, 1, 0);
    append(2, 3, SHORTLY);
    window.tick(SHORTLY);
    assertThat(acks).isEmpty();
    window.tick(AckWindow.PATIENCE_NANOS);
    assertThat(acks).containsExactly(3L);
  }

  @Test
  void patienceBeginsAnewWithTheNextFirstMessage() throws IOException {
    append(1, 16, 0);
    append(17, 17, SHORTLY);
    window.tick(AckWindow.PATIENCE_NANOS);
    assertThat(acks).containsExactly(16L);
    window.tick(SHORTLY + AckWindow.PATIENCE_NANOS);
    assertThat(acks).containsExactly(16L, 17L);
  }

  @Test
  void anEmptyWindowAcknowledgesNothing() throws IOException {
    window.tick(AckWindow.PATIENCE_NANOS);
    window.flush();
    assertThat(acks).isEmpty();
  }

  @Test
  void whatIsForgottenIsNeverAcknowledged() throws IOException {
    append(1, 5, 0);
    window.forget();
    window.tick(AckWindow.PATIENCE_NANOS);
    window.flush();
    assertThat(acks).isEmpty();
    assertThat(meter.unacked).hasValue(0);
  }

  @Test
  void meterFollowsWhatIsHeld() throws IOException {
    append(1, 3, 0);
    assertThat(meter.unacked).hasValue(3);
    window.flush();
    assertThat(meter.unacked).hasValue(0);
  }

  @Test
  void messagesOfAFailedAckStayHeld() throws IOException {
    AckWindow failing =
        new AckWindow(
            _ -> {
              throw new IOException("channel closed");
            },
            meter);
    failing.appended(1, 0);
    assertThatThrownBy(failing::flush).isInstanceOf(IOException.class);
    assertThat(failing.unacked()).isEqualTo(1);
  }

  private void append(long firstTag, long lastTag, long nanos) throws IOException {
    for (long tag = firstTag; tag <= lastTag; tag++) {
      window.appended(tag, nanos);
    }
  }
}
