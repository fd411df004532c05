package dev.chatflow.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class StormTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(40);

  private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

  private Track track(String name, long quiet, long shortest, long longest) {
    Kind kind =
        new Kind(name, shortest, longest, n -> seen.add("begin " + n), n -> seen.add("end " + n));
    return new Track(name, 3, quiet, List.of(kind, Kind.of("other", n -> seen.add("at " + n))));
  }

  @Test
  void sameSeedGivesTheSameSchedule() {
    List<Track> tracks = List.of(track("a", 1_000, 500, 9_000), track("b", 3_000, 0, 0));
    assertThat(lines(7, tracks)).isEqualTo(lines(7, tracks)).isNotEqualTo(lines(8, tracks));
  }

  private static List<String> lines(long seed, List<Track> tracks) {
    return Storm.of(seed, HOUR, tracks).schedule().stream().map(Strike::toString).toList();
  }

  @Test
  void faultsOfATrackDoNotOverlapAndKeepTheirBounds() {
    Track track = track("a", 1_000, 500, 9_000);
    Duration end = Duration.ZERO;
    for (Strike strike : Storm.of(7, HOUR, List.of(track)).schedule()) {
      assertThat(strike.at().minus(end)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
      assertThat(strike.lasts().toMillis())
          .isBetween(strike.kind().shortest(), strike.kind().longest());
      assertThat(strike.target()).isBetween(1, 3);
      end = strike.at().plus(strike.lasts());
    }
    assertThat(end).isBetween(HOUR.minusSeconds(13), HOUR);
  }

  @Test
  void everyStartedFaultEnds() throws Exception {
    Storm storm = Storm.of(7, SOON, List.of(track("a", 1, 0, 3), track("b", 1, 0, 3)));
    int faults = storm.play(HOUR);
    assertThat(faults).isEqualTo(storm.schedule().size()).isPositive();
    assertThat(seen.stream().filter(line -> line.startsWith("begin")))
        .hasSameSizeAs(seen.stream().filter(line -> line.startsWith("end")).toList());
  }

  @Test
  void failedFaultIsReported() {
    Track broken =
        new Track(
            "a",
            1,
            1,
            List.of(
                Kind.of(
                    "breaks",
                    _ -> {
                      throw new IllegalStateException("no such node");
                    })));
    assertThatThrownBy(() -> Storm.of(7, SOON, List.of(broken)).play(HOUR))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no such node");
  }
}
