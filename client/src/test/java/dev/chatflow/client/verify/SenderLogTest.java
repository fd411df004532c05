package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SenderLogTest {
  private static final int MEMBERS = 3;

  private final SenderLog log = new SenderLog(MEMBERS, false);

  SenderLogTest() {
    log.append(1, 1); // the JOIN
  }

  @Test
  void completeMessagesAreForgotten() {
    append(2);
    complete(1);
    assertThat(log.isKept(1)).isFalse();
    assertThat(log.isKept(2)).isTrue();
    assertThat(log.isEchoed(1)).isTrue();
    assertThat(log.echoedAt(1, 99)).isFalse();
  }

  @Test
  void joinIsNeverForgotten() {
    log.echoedAt(0, 7);
    append(1);
    complete(1);
    assertThat(log.isKept(0)).isTrue();
    assertThat(log.echoed(0)).isEqualTo(7);
  }

  @Test
  void messageWithoutEchoIsKept() {
    append(1);
    for (int copy = 0; copy < MEMBERS; copy++) {
      log.copied(1, 5);
    }
    log.forget(1);
    assertThat(log.isKept(1)).isTrue();
  }

  @Test
  void incompleteMessageIsKeptWithAllLaterOnes() {
    append(2);
    log.echoedAt(1, 4);
    log.copied(1, 4);
    complete(2);
    assertThat(log.isKept(1)).isTrue();
    assertThat(log.isKept(2)).isTrue();
    log.copied(1, 5);
    log.copied(1, 6);
    log.forget(1);
    assertThat(log.isKept(2)).isFalse();
  }

  @Test
  void lateWriteTimeOfForgottenMessageChangesNoOther() {
    append(1);
    complete(1);
    append(200); // one of them reuses the slot of message 1
    long[] before = new long[201];
    for (int seq = 2; seq <= 200; seq++) {
      before[seq] = log.written(seq);
    }
    log.writtenAt(1, 12_345);
    for (int seq = 2; seq <= 200; seq++) {
      assertThat(log.written(seq)).isEqualTo(before[seq]);
    }
  }

  @Test
  void everythingIsKeptOnRequest() {
    SenderLog all = new SenderLog(1, true);
    for (int seq = 0; seq < 1_000; seq++) {
      all.append(seq, seq + 1);
      all.echoedAt(seq, seq + 2);
      all.copied(seq, seq + 2);
      all.forget(seq);
    }
    for (int seq = 0; seq < 1_000; seq++) {
      assertThat(all.written(seq)).isEqualTo(seq + 1);
      assertThat(all.echoed(seq)).isEqualTo(seq + 2);
    }
  }

  /**
   * Compares the log with plain arrays, for random orders of copies and echoes and windows of 1 to
   * 300.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void logEqualsPlainArrays(long seed) {
    Random random = new Random(seed);
    int window = 1 + random.nextInt(300);
    int texts = 2_000;
    long[] written = new long[texts + 1];
    long[] first = new long[texts + 1];
    long[] echoed = new long[texts + 1];
    int[] copies = new int[texts + 1];
    int oldest = 1;
    for (long time = 2; oldest <= texts; time++) {
      if (log.size() <= texts && log.size() - oldest < window && random.nextBoolean()) {
        written[log.size()] = time;
        log.append(time - 1, time);
      } else if (log.size() > oldest) {
        int seq = oldest + random.nextInt(log.size() - oldest);
        if (echoed[seq] == 0) {
          assertThat(log.echoedAt(seq, time)).isTrue();
          echoed[seq] = time;
        } else if (copies[seq] < MEMBERS) {
          first[seq] = first[seq] == 0 ? time : first[seq];
          assertThat(log.copied(seq, time)).isEqualTo(++copies[seq]);
        }
        log.forget(seq);
      }
      while (oldest < log.size() && copies[oldest] == MEMBERS && echoed[oldest] != 0) {
        oldest++;
      }
      for (int seq = Math.max(1, oldest - 2); seq < Math.min(log.size(), oldest + 2); seq++) {
        assertThat(log.isKept(seq)).isEqualTo(seq >= oldest);
        assertThat(log.isEchoed(seq)).isEqualTo(echoed[seq] != 0);
      }
      for (int seq = oldest; seq < log.size(); seq += 17) {
        assertThat(log.written(seq)).isEqualTo(written[seq]);
        assertThat(log.due(seq)).isEqualTo(written[seq] - 1);
        assertThat(log.echoed(seq)).isEqualTo(echoed[seq]);
        assertThat(log.firstCopy(seq)).isEqualTo(first[seq]);
      }
    }
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      log.append(10L * log.size(), 10L * log.size() + 1);
    }
  }

  private void complete(int seq) {
    log.echoedAt(seq, 3);
    for (int copy = 0; copy < MEMBERS; copy++) {
      log.copied(seq, 3);
    }
    log.forget(seq);
  }
}
