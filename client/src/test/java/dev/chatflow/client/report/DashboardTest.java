package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DashboardTest {
  private static final long SECOND = 1_000_000_000;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Scrape> scrapes = new ArrayList<>();
  private final Dashboard dashboard = Dashboard.open("soak", () -> scrapes);

  @AfterEach
  void close() {
    dashboard.close();
    http.close();
  }

  @Test
  void pageIsSelfContainedAndServedOnlyOnLoopback() throws Exception {
    HttpResponse<String> page = get("");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(dashboard.url()).startsWith("http://127.0.0.1:");
    assertThat(page.body())
        .contains("ChatFlow load: soak", "fetch(\"now\")", "id=\"charts\"")
        .doesNotContain("src=", "@import", "https://")
        .doesNotContainPattern("http://(?!www\\.w3\\.org/2000/svg)");
    assertThat(get("elsewhere").statusCode()).isEqualTo(404);
  }

  @Test
  void chartsShowTheRunSoFar() throws Exception {
    assertThat(get("now").body()).startsWith("begins\n").doesNotContain("<svg");
    dashboard.add(Phase.MAIN, SECOND, delivered(1_000), latencies());
    dashboard.add(Phase.MAIN, 2 * SECOND, delivered(3_000), latencies());
    assertThat(get("now").body())
        .startsWith("main, 2 s, 20 connections, 100 messages sent, 3,000 copies delivered\n")
        .contains("Deliveries per second", "Delivery latency", "Messages in flight")
        .doesNotContain("CPU of the servers", "Log lag of the servers");
  }

  @Test
  void lagAndCpuOfScrapedServersAreShown() throws Exception {
    Samples samples = new Samples("chatflow_log_lag_seconds_max", "process_cpu_usage");
    samples.add(1, 0.012, 0.5);
    samples.add(2, 0.014, 0.6);
    scrapes.add(new Scrape("http://one:8081/metrics", samples));
    dashboard.add(Phase.MAIN, SECOND, delivered(1_000), latencies());
    assertThat(get("now").body())
        .contains("CPU of the servers", "Log lag of the servers", "http://one:8081/metrics");
  }

  @Test
  void dashboardEndsWithTheRun() throws Exception {
    get("");
    dashboard.close();
    assertThatThrownBy(() -> get("now")).isInstanceOf(ConnectException.class);
  }

  @Test
  void longRunIsShownFromItsStartWithFewerPoints() {
    Course course = new Course();
    SeriesSet latencies = latencies();
    for (int second = 1; second <= 20_000; second++) {
      course.add(second, delivered(100L * second), latencies);
    }
    String svg = course.charts(List.of()).getFirst().svg();
    assertThat(svg.length()).isLessThan(40_000);
    assertThat(svg).contains("5 h");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(dashboard.url() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static Progress delivered(long copies) {
    return new Progress(20, 20, 100, copies, 7, 2, 0, 0);
  }

  private static SeriesSet latencies() {
    SeriesSet set = new SeriesSet();
    set.record(Series.DELIVERY, Clock.SERVICE, 4_000);
    return set;
  }
}
