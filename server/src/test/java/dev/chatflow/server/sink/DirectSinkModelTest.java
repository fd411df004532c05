package dev.chatflow.server.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.LogRanges;
import dev.chatflow.server.sink.FakeDirectWire.Next;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of random histories: ranges are sent whole and in order, each completes exactly once,
 * mail is sent in order, one write is in flight, and nothing follows the end.
 */
class DirectSinkModelTest {

  private static final int HISTORIES = 3_000;
  private static final int STEPS = 60;

  /** Harmless outcomes first. */
  private static final List<Next> OUTCOMES = List.of(Next.values());

  @ParameterizedTest
  @ValueSource(longs = {1, 20261121, 7_777})
  void everyHistoryKeepsTheRules(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < HISTORIES; i++) {
      new History(random).play();
    }
  }

  private static final class History implements MemberSink.Owner {
    private final Random random;
    private final FakeDirectWire wire = new FakeDirectWire();
    private final FakeTimer timer = new FakeTimer();
    private final DirectSink sink = new DirectSink(wire, this, timer, Duration.ofSeconds(1));
    private final StringBuilder log = new StringBuilder();
    private int ranges;
    private int settled;
    private int mails;
    private boolean over;

    History(Random random) {
      this.random = random;
    }

    void play() {
      try {
        for (int i = 0; i < STEPS; i++) {
          step(random.nextInt(100));
        }
        calmDown();
        check();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(log + "\n" + e.getMessage(), e);
      }
    }

    private void step(int dice) {
      log.append(dice).append(' ');
      if (dice < 30) {
        writeNext();
      } else if (dice < 40) {
        tellNext();
      } else if (dice < 45) {
        boolean _ = sink.ping();
      } else if (dice < 60) {
        wire.next(OUTCOMES.get(dice < 58 ? dice % 3 : random.nextInt(OUTCOMES.size())));
      } else if (dice < 80) {
        completeOne(dice == 79);
      } else if (dice < 86) {
        wire.containerWrites(!wire.isPermitTaken() && random.nextBoolean());
      } else if (dice < 96) {
        timer.run();
      } else if (random.nextInt(4) == 0) {
        end(dice);
      }
    }

    private void end(int dice) {
      over = true;
      switch (dice) {
        case 96 -> sink.finish(CloseReason.GOING_AWAY, "bye");
        case 97 -> sink.cut(CloseReason.SLOW_CONSUMER);
        case 98 -> sink.ended();
        default -> wire.containerSentClose();
      }
    }

    /** Writes like a round: no second range before the first completes. */
    private void writeNext() {
      if (settled == ranges) {
        String name = "r" + ranges++;
        int expected = ranges;
        sink.write(
            LogRanges.of(name + "a", name + "b"),
            () -> {
              settled++;
              assertThat(settled).isEqualTo(expected);
            });
      }
    }

    private void tellNext() {
      if (!sink.isClosed()) {
        boolean _ = sink.tell(("m" + mails++).getBytes(UTF_8));
      }
    }

    private void completeOne(boolean failing) {
      if (wire.isWaiting()) {
        if (failing) {
          over = true;
          wire.fail();
        } else {
          wire.complete();
        }
      }
    }

    private void calmDown() {
      wire.containerWrites(false);
      wire.next(Next.WRITTEN);
      for (int i = 0; i < 3; i++) {
        if (wire.isWaiting()) {
          wire.complete();
        }
        timer.run();
      }
    }

    private void check() {
      assertThat(wire.broken()).isEmpty();
      assertThat(settled).isEqualTo(ranges);
      assertThat(wire.isPermitTaken()).isFalse();
      Parsed parsed = Parsed.of(wire.sent());
      for (int i = 0; i < parsed.ranges; i++) {
        assertThat(parsed.text).contains("r" + i + "a;r" + i + "b;");
      }
      for (int i = 0; i < parsed.mails; i++) {
        assertThat(parsed.text).contains("m" + i + ";");
      }
      if (!over && !sink.isClosed()) {
        assertThat(parsed.ranges).isEqualTo(ranges);
        assertThat(parsed.mails).isEqualTo(mails);
      }
    }
  }

  /** The sent frames, as {@code payload;}, in order by their numbers. */
  private static final class Parsed {
    private final StringBuilder text = new StringBuilder();
    private int ranges;
    private int mails;

    static Parsed of(String bytes) {
      Parsed parsed = new Parsed();
      for (int at = 0; at < bytes.length(); ) {
        int length = bytes.charAt(at + 1);
        String payload = bytes.substring(at + 2, at + 2 + length);
        if (bytes.charAt(at) == 0x81) {
          parsed.take(payload);
        } else {
          assertThat((int) bytes.charAt(at)).isEqualTo(0x89);
        }
        at += 2 + length;
      }
      return parsed;
    }

    private void take(String payload) {
      text.append(payload).append(';');
      if (payload.startsWith("m")) {
        assertThat(payload).isEqualTo("m" + mails++);
      } else if (payload.endsWith("b")) {
        assertThat(payload).isEqualTo("r" + ranges++ + "b");
      } else {
        assertThat(payload).isEqualTo("r" + ranges + "a");
      }
    }
  }
}
