package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.client.fake.FakePages;
import dev.chatflow.client.record.Samples;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the observers from the first observation to the end. */
final class ObserversTest {
  private final FakePages pages = new FakePages();

  @AfterEach
  void close() {
    pages.close();
  }

  private Observing observing(@Nullable URI consumer, String... scraped) {
    List<URI> scrapes = List.of(scraped).stream().map(path -> URI.create(pages.url(path))).toList();
    return new Observing(null, scrapes, consumer, null);
  }

  @Test
  void everyPageIsSampledPeriodicallyAndOnceMoreAtTheEnd() throws InterruptedException {
    pages.put("/one", "a 1\n").put("/two", "b 2\n").put("/api/stats", "{\"activeUsers\": 3}");
    URI consumer = URI.create(pages.url(""));
    try (Observers observers = new Observers(observing(consumer, "/one", "/two"), () -> 1)) {
      observers.start(Duration.ofMillis(1));
      await().until(() -> pages.requests() > 6);
      pages.put("/one", "a 5\n");
      Observations seen = observers.finish();
      assertThat(seen.metric("a", "last")).hasValue(5);
      assertThat(seen.metric("b", "mean")).hasValue(2);
      assertThat(seen.consumer()).isNotNull();
      assertThat(seen.own().size()).isPositive();
      assertThat(seen.broker()).isNull();
      assertThat(observers.queueDepth()).isEmpty();
      assertThat(seen.complaints()).isEmpty();
    }
  }

  @Test
  void reportedServerSettingsAreStored() throws InterruptedException {
    pages.put("/metrics", "a 1\n").put("/settings", "{\"CHATFLOW_SHARDS\":\"8\",\"x\":{}}");
    try (Observers observers = new Observers(observing(null, "/metrics"), () -> 1)) {
      assertThat(observers.finish().serverSettings())
          .isEqualTo(Map.of(pages.url("/metrics"), Map.of("CHATFLOW_SHARDS", "8")));
    }
    pages.put("/settings", "no JSON");
    try (Observers observers = new Observers(observing(null, "/metrics"), () -> 1)) {
      assertThat(observers.finish().serverSettings()).isEmpty();
    }
  }

  @Test
  void failedObservationsAreReportedOnceAndDoNotEndTheRun() throws InterruptedException {
    URI consumer = URI.create(pages.url(""));
    try (Observers observers = new Observers(observing(consumer, "/absent"), () -> 1)) {
      observers.start(Duration.ofMillis(1));
      await().until(() -> pages.requests() > 3);
      Observations seen = observers.finish();
      assertThat(seen.complaints())
          .containsExactly(
              "scrape " + pages.url("/absent") + ": HTTP 404",
              "consumer " + consumer + ": HTTP 404");
      assertThat(seen.consumer()).isNull();
      assertThat(seen.scrapes().getFirst().samples().gaps()).isGreaterThan(3);
    }
  }

  @Test
  void metricsAreSummedOverPagesExceptMaxima() {
    Samples one = new Samples("queue", "lag_seconds_max");
    one.add(1, 4, 0.25);
    Samples two = new Samples("queue", "lag_seconds_max", "lag");
    two.add(1, 6, 0.125, 0.5);
    Observations seen =
        new Observations(
            null,
            new Samples(),
            List.of(new Scrape("one", one), new Scrape("two", two)),
            null,
            List.of(),
            java.util.Map.of());
    assertThat(seen.metric("queue", "max")).hasValue(10);
    assertThat(seen.metric("lag", "max")).hasValue(0.5);
    assertThat(seen.metric("lag_seconds_max", "max")).hasValue(0.25);
    assertThat(seen.metric("other", "max")).isEmpty();
    assertThat(Observations.none().metric("queue", "max")).isEmpty();
  }
}
