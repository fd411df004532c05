package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Reads one metrics page periodically; a missing answer is a gap. Belongs to one thread. */
final class ScrapeWatch implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final URI page;
  private final DoubleSupplier seconds;
  private final Consumer<String> complaints;
  private final HttpClient http;
  private final Samples samples = new Samples();

  ScrapeWatch(
      URI page,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints) {
    http = Pages.client(TIMEOUT, certificates);
    this.page = page;
    this.seconds = seconds;
    this.complaints = complaints;
  }

  void sample() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      samples.add(at, MetricsPage.read(Pages.get(http, page, TIMEOUT)));
    } catch (IOException e) {
      complaints.accept("scrape " + page + ": " + Reason.of(e));
      samples.gap(at);
    }
  }

  Scrape scrape() {
    return new Scrape(page.toString(), samples);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
