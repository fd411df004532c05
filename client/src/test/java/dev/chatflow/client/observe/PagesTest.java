package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.fake.FakePages;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests pages of servers and the standalone consumer that answer, fail or are unreachable. */
final class PagesTest {
  private final FakePages pages = new FakePages();
  private final List<String> complaints = new ArrayList<>();
  private double now;

  @AfterEach
  void close() {
    pages.close();
  }

  private ServerHealth health() throws InterruptedException {
    return ServerHealth.await(URI.create(pages.url("/health")), Duration.ZERO, null);
  }

  @Test
  void healthyServerIsDescribed() throws InterruptedException {
    pages.put("/health", "{\"status\": \"UP\", \"serverId\": \"s1\", \"version\": \"1.0\"}");
    assertThat(health().healthy()).isTrue();
    assertThat(health().description()).isEqualTo("UP s1 1.0");
    ServerHealth.requireHealthy(List.of(health()));
  }

  @Test
  void serverWithoutAHealthPageIsAccepted() throws InterruptedException {
    assertThat(health().healthy()).isTrue();
    assertThat(health().description()).isEqualTo("HTTP 404");
  }

  @Test
  void healthPageInAnotherFormatIsAccepted() throws InterruptedException {
    pages.put("/health", "all well");
    assertThat(health().healthy()).isTrue();
    assertThat(health().description()).isEqualTo("HTTP 200");
  }

  @Test
  void unreachableServerFailsTheCommandWithTheReason() throws InterruptedException {
    pages.close();
    ServerHealth unreachable = health();
    assertThat(unreachable.reachable()).isFalse();
    assertThat(unreachable.description()).isEqualTo("not reachable: connection refused");
    assertThatThrownBy(() -> ServerHealth.requireHealthy(List.of(unreachable)))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.UNREACHABLE))
        .hasMessageContaining("connection refused");
  }

  @Test
  void failedScrapeIsAGapInTheSamples() throws InterruptedException {
    pages.put("/metrics", "chat_in_total 5\n");
    try (ScrapeWatch watch =
        new ScrapeWatch(URI.create(pages.url("/metrics")), null, () -> now++, complaints::add)) {
      watch.sample();
      pages.remove("/metrics");
      watch.sample();
      pages.put("/metrics", "chat_in_total 9\nnew_metric 1\n");
      watch.sample();
      Scrape scrape = watch.scrape();
      assertThat(scrape.source()).isEqualTo(pages.url("/metrics"));
      assertThat(scrape.samples().column("chat_in_total")).containsExactly(5, Double.NaN, 9);
      assertThat(scrape.samples().column("new_metric")).containsExactly(Double.NaN, Double.NaN, 1);
      assertThat(complaints).containsExactly("scrape " + pages.url("/metrics") + ": HTTP 404");
    }
  }

  @Test
  void unreachableMetricsPageIsReportedInWords() throws InterruptedException {
    URI page = URI.create(pages.url("/metrics"));
    pages.close();
    try (ScrapeWatch watch = new ScrapeWatch(page, null, () -> now++, complaints::add)) {
      watch.sample();
      assertThat(watch.scrape().samples().gaps()).isEqualTo(1);
      assertThat(complaints).containsExactly("scrape " + page + ": connection refused");
    }
  }

  @Test
  void statisticsAreReadFromTheAddressOrThePageItself() throws Exception {
    pages.put("/api/stats", "{\"activeUsers\": 12}");
    for (String path : List.of("", "/", "/api/stats")) {
      assertThat(Pages.statistics(URI.create(pages.url(path)), null).get("activeUsers").getAsInt())
          .isEqualTo(12);
    }
  }

  @Test
  void responsesWithoutStatisticsAreRejected() {
    URI page = URI.create(pages.url(""));
    assertThatThrownBy(() -> Pages.statistics(page, null))
        .isInstanceOf(IOException.class)
        .hasMessage("HTTP 404");
    for (String body : List.of("[1]", "<html>", "12")) {
      pages.put("/api/stats", body);
      assertThatThrownBy(() -> Pages.statistics(page, null))
          .isInstanceOf(IOException.class)
          .hasMessage("not a JSON object");
    }
  }
}
