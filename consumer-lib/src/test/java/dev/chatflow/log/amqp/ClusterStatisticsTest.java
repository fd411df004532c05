package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.ServerStatistics;
import dev.chatflow.log.amqp.ClusterStatistics.Observed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClusterStatisticsTest {

  private static final long BUILT = 1_795_290_970_968L;

  private final ClusterStatistics statistics = new ClusterStatistics();

  private static ServerStatistics statistics(int connections) {
    return new ServerStatistics(connections, 2, 3, 4, "1.0.0");
  }

  private void read(String server, int connections, long seconds, long nowSeconds) {
    statistics.read(
        server,
        statistics(connections),
        BUILT + seconds * 1_000,
        TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  private List<Observed> observed(long nowSeconds) {
    return statistics.observed(TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  @Test
  void newestOfEachServerIsKeptWithItsAge() {
    read("two", 5, 0, 0);
    read("one", 1, 2, 2);
    read("two", 6, 4, 4);
    assertThat(observed(10))
        .containsExactly(
            new Observed("one", statistics(1), 8_000), new Observed("two", statistics(6), 6_000));
  }

  @Test
  void statisticsReadBackKeepTheirAgeAndDoNotReplaceNewerOnes() {
    read("two", 6, 100, 0);
    read("two", 5, 60, 1);
    read("three", 1, 40, 1);
    assertThat(observed(1))
        .containsExactly(
            new Observed("three", statistics(1), 61_000),
            new Observed("two", statistics(6), 1_000));
  }

  @Test
  void silentServerIsListedForTwoMinutes() {
    read("two", 6, 0, 0);
    assertThat(observed(120)).hasSize(1);
    assertThat(observed(121)).isEmpty();
  }

  @Test
  void emptyOrMalformedEntriesAreNoStatistics() {
    statistics.read("one", null, BUILT, 0);
    statistics.read("one", "rubbish", BUILT, 0);
    assertThat(observed(0)).isEmpty();
  }

  @Test
  void leastRecentlySeenServerIsForgottenBeyondTheBoundAndCounted() {
    for (int i = 0; i < ClusterStatistics.MOST; i++) {
      read("server-" + i, i, 0, 0);
    }
    read("server-0", 0, 1, 1);
    assertThat(statistics.forgotten()).isZero();
    read("new", 9, 1, 1);
    assertThat(statistics.forgotten()).isEqualTo(1);
    assertThat(observed(1))
        .hasSize(ClusterStatistics.MOST)
        .extracting(Observed::serverId)
        .contains("server-0", "new")
        .doesNotContain("server-1");
  }
}
