package dev.chatflow.lab.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests that errors of a server are detected. Otherwise comparisons would be worthless. */
class CrowdTest {
  private static final int MEMBERS = 4;

  private static Tally run(Pace pace, Function<byte[], List<byte[]>> fault) throws IOException {
    try (FakePeer peer = new FakePeer(fault);
        Crowd crowd =
            new Crowd(
                new Plan(
                    Wires.of("plain"), List.of(peer.url()), null, 0, 1, 1, MEMBERS, MEMBERS, 60),
                /* patienceSeconds= */ 2)) {
      crowd.open();
      crowd.speak(pace);
      return crowd.tally();
    }
  }

  @Test
  void tallyIsExactWhenEachMemberReceivesEachMessageOnce() throws IOException {
    Tally full = run(new Pace(0, 3, 1), List::of);
    assertThat(full.sent()).isPositive();
    assertThat(full.deliveries()).isEqualTo(full.sent() * MEMBERS);
    assertThat(full.missing() + full.misordered() + full.repeated()).isZero();
    assertThat(full.failure()).isEmpty();
    assertThat(full.exact()).isTrue();
  }

  @Test
  void everyDueMessageIsSentAtTheGivenRate() throws IOException {
    Tally outcome = run(new Pace(200, 0, 1), List::of);
    assertThat(outcome.sent()).isEqualTo(200);
    assertThat(outcome.deliveries()).isEqualTo(outcome.sent() * MEMBERS);
    assertThat(outcome.p99()).isGreaterThanOrEqualTo(outcome.p50()).isPositive();
  }

  @Test
  void lostMessagesAreCountedAsMissing() throws IOException {
    int[] count = {0};
    Tally outcome =
        run(new Pace(200, 0, 1), message -> ++count[0] % 7 == 0 ? List.of() : List.of(message));
    assertThat(outcome.missing()).isEqualTo(outcome.sent() / 7 * MEMBERS);
    assertThat(outcome.repeated() + outcome.misordered()).isZero();
  }

  @Test
  void repeatedMessagesAreNotCountedAsDeliveries() throws IOException {
    int[] count = {0};
    Tally outcome =
        run(
            new Pace(200, 0, 1),
            message -> ++count[0] % 10 == 0 ? List.of(message, message) : List.of(message));
    assertThat(outcome.repeated()).isEqualTo(outcome.sent() / 10 * MEMBERS);
    assertThat(outcome.missing() + outcome.misordered()).isZero();
  }

  @Test
  void eachMemberChecksTheOrderOfEachSender() throws IOException {
    Map<Integer, byte[]> held = new HashMap<>();
    Tally outcome =
        run(
            new Pace(200, 0, 1),
            message -> {
              int sender = Saying.sender(message, 0);
              if (Saying.number(message, 0) == 3) {
                held.put(sender, message);
                return List.of();
              }
              if (Saying.number(message, 0) == 5) {
                return List.of(message, held.get(sender));
              }
              return List.of(message);
            });
    assertThat(outcome.misordered()).isEqualTo(MEMBERS * MEMBERS);
    assertThat(outcome.missing() + outcome.repeated()).isZero();
  }
}
