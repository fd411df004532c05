package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.Pulse;
import dev.chatflow.log.amqp.Pulses.Heard;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PulsesTest {

  private static final long BUILT = 1_795_290_970_968L;

  private final Pulses pulses = new Pulses();

  private static Pulse pulse(int connections) {
    return new Pulse(connections, 2, 3, 4, "1.0.0");
  }

  private void read(String server, int connections, long seconds, long nowSeconds) {
    pulses.read(
        server, pulse(connections), BUILT + seconds * 1_000, TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  private List<Heard> heard(long nowSeconds) {
    return pulses.heard(TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  @Test
  void newestOfEachServerIsKeptWithItsAge() {
    read("two", 5, 0, 0);
    read("one", 1, 2, 2);
    read("two", 6, 4, 4);
    assertThat(heard(10))
        .containsExactly(new Heard("one", pulse(1), 8_000), new Heard("two", pulse(6), 6_000));
  }

  @Test
  void whatIsReadBackIsAsOldAsItWasSentAndTakesNoNewerOnesPlace() {
    read("two", 6, 100, 0);
    read("two", 5, 60, 1);
    read("three", 1, 40, 1);
    assertThat(heard(1))
        .containsExactly(new Heard("three", pulse(1), 61_000), new Heard("two", pulse(6), 1_000));
  }

  @Test
  void whoFellSilentIsToldForTwoMinutes() {
    read("two", 6, 0, 0);
    assertThat(heard(120)).hasSize(1);
    assertThat(heard(121)).isEmpty();
  }

  @Test
  void entriesThatSayNothingOrRubbishAreNoPulse() {
    pulses.read("one", null, BUILT, 0);
    pulses.read("one", "rubbish", BUILT, 0);
    assertThat(heard(0)).isEmpty();
  }

  @Test
  void serverHeardLongestAgoIsForgottenBeyondTheBoundAndCounted() {
    for (int i = 0; i < Pulses.MOST; i++) {
      read("server-" + i, i, 0, 0);
    }
    read("server-0", 0, 1, 1);
    assertThat(pulses.forgotten()).isZero();
    read("new", 9, 1, 1);
    assertThat(pulses.forgotten()).isEqualTo(1);
    assertThat(heard(1))
        .hasSize(Pulses.MOST)
        .extracting(Heard::serverId)
        .contains("server-0", "new")
        .doesNotContain("server-1");
  }
}
