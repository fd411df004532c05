package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The observers of one run, each on its own thread, off the message path. None of them can end the
 * run.
 *
 * <p>One thread calls {@link #start} and {@link #finish}, once each.
 */
public final class Observers implements AutoCloseable {
  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final int STOP_SECONDS = 5;
  private static final int MAX_COMPLAINTS = 20;

  /** One observation; interrupted at the end of the run. */
  private interface Look {
    void once() throws InterruptedException;
  }

  private final Observing observing;
  private final OwnWatch own;
  private final @Nullable BrokerView broker;
  private final List<ScrapeWatch> scrapes = new ArrayList<>();
  private final ScheduledExecutorService threads;

  // Guarded by itself
  private final Set<String> complaints = new LinkedHashSet<>();

  /**
   * Connects to the broker.
   *
   * @param seconds since the run's origin
   * @throws CommandFailure if the broker cannot be observed
   */
  public Observers(Observing observing, DoubleSupplier seconds) throws InterruptedException {
    this.observing = observing;
    own = new OwnWatch(seconds);
    broker =
        observing.broker() == null
            ? null
            : BrokerView.of(observing.broker(), observing.certificates(), seconds, this::complain);
    for (URI page : observing.scrapes()) {
      scrapes.add(new ScrapeWatch(page, observing.certificates(), seconds, this::complain));
    }
    threads =
        Executors.newScheduledThreadPool(
            3 + scrapes.size(), Thread.ofPlatform().name("observe-", 0).daemon().factory());
  }

  /** Starts the observers; servers, consumer and own process are observed every {@code every}. */
  public void start(Duration every) {
    look(() -> own.watch(every.toNanos()), Duration.ofNanos(1));
    scrapes.forEach(scrape -> look(scrape::sample, every));
    BrokerView watched = broker;
    if (watched != null) {
      look(watched::sampleRates, BrokerView.RATES_PERIOD);
      look(watched::sampleDepth, BrokerView.DEPTH_PERIOD);
    }
  }

  private void look(Look look, Duration pause) {
    Runnable guarded =
        () -> {
          try {
            look.once();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run is over
          } catch (RuntimeException e) {
            complain("an observer failed: " + e); // and continues
          }
        };
    var _ = threads.scheduleWithFixedDelay(guarded, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Returns the last observed depth of the broker's queues. Any thread. */
  public OptionalDouble queueDepth() {
    return broker == null ? OptionalDouble.empty() : broker.lastDepth();
  }

  /** Returns the samples of the metrics pages so far. Any thread. */
  public List<Scrape> scraped() {
    return scrapes.stream().map(ScrapeWatch::scrape).toList();
  }

  /** Stops the observers, waits for empty queues, and returns the observations. */
  public Observations finish() throws InterruptedException {
    threads.shutdownNow();
    boolean ended = threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      complain("an observer did not end within " + STOP_SECONDS + " s");
    }
    BrokerView watched = broker;
    long left = watched == null ? 0 : watched.settle(SETTLE);
    for (ScrapeWatch scrape : scrapes) {
      scrape.sample();
    }
    JsonObject consumer = consumer();
    Map<String, Map<String, String>> settings = settings();
    synchronized (complaints) {
      return new Observations(
          watched == null ? null : watched.figures(left),
          own.samples(),
          scraped(),
          consumer,
          List.copyOf(complaints),
          settings);
    }
  }

  private Map<String, Map<String, String>> settings() throws InterruptedException {
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    for (URI page : observing.scrapes()) {
      Map<String, String> own = Pages.settings(page, observing.certificates());
      if (!own.isEmpty()) {
        settings.put(page.toString(), own);
      }
    }
    return settings;
  }

  private @Nullable JsonObject consumer() throws InterruptedException {
    URI page = observing.consumer();
    try {
      return page == null ? null : Pages.statistics(page, observing.certificates());
    } catch (IOException e) {
      complain("consumer " + page + ": " + Reason.of(e));
      return null;
    }
  }

  private void complain(String complaint) {
    synchronized (complaints) {
      if (complaints.size() < MAX_COMPLAINTS) {
        complaints.add(complaint);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    scrapes.forEach(ScrapeWatch::close);
    if (broker != null) {
      broker.close();
    }
  }
}
