package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The observers of one run, each on a thread of its own; none is on the message path and none can
 * end the run.
 *
 * <p>{@link #start} and {@link #finish} are called by one thread, once each.
 */
public final class Observers implements AutoCloseable {
  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final int MAX_COMPLAINTS = 20;

  /** One look; interrupted at the end of the run. */
  private interface Look {
    void once() throws InterruptedException;
  }

  private final Observing observing;
  private final OwnWatch own;
  private final @Nullable BrokerWatch broker;
  private final List<ScrapeWatch> scrapes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  // Guarded by itself
  private final Set<String> complaints = new LinkedHashSet<>();

  /**
   * Connects to the broker.
   *
   * @param seconds since the run's origin
   * @throws IOException when the broker cannot be asked
   */
  public Observers(Observing observing, DoubleSupplier seconds)
      throws IOException, InterruptedException {
    this.observing = observing;
    own = new OwnWatch(seconds);
    broker =
        observing.broker() == null ? null : new BrokerWatch(observing, seconds, this::complain);
    for (URI page : observing.scrapes()) {
      scrapes.add(new ScrapeWatch(page, observing.certificates(), seconds, this::complain));
    }
  }

  /** Starts looking; servers, consumer and own process every {@code every}. */
  public void start(Duration every) {
    start("observe-client", () -> own.watch(every.toNanos()), Duration.ZERO);
    scrapes.forEach(scrape -> start("observe-scrape", scrape::sample, every));
    BrokerWatch watched = broker;
    if (watched != null) {
      start("observe-rates", watched::sampleRates, BrokerWatch.RATES_PERIOD);
      start("observe-depth", watched::sampleDepth, BrokerWatch.DEPTH_PERIOD);
    }
  }

  private void start(String name, Look look, Duration pause) {
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .start(() -> {
              try {
                while (!Thread.currentThread().isInterrupted()) {
                  look.once();
                  TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the run is over
              }
            }));
  }

  /** Depth of the broker's queues as last seen; any thread may ask. */
  public OptionalDouble queueDepth() {
    return broker == null ? OptionalDouble.empty() : broker.lastDepth();
  }

  /** Ends the looking, waits for empty queues, and returns what was seen. */
  public Observations finish() throws InterruptedException {
    stop();
    Observations.BrokerFigures figures = null;
    if (broker != null) {
      broker.sampleRates();
      figures = broker.figures(broker.settle(SETTLE));
    }
    for (ScrapeWatch scrape : scrapes) {
      scrape.sample();
    }
    JsonObject consumer = consumer();
    return new Observations(
        figures,
        own.samples(),
        scrapes.stream().map(ScrapeWatch::scrape).toList(),
        consumer,
        complaints());
  }

  private @Nullable JsonObject consumer() throws InterruptedException {
    URI page = observing.consumer();
    if (page == null) {
      return null;
    }
    try {
      return ConsumerPage.ask(page, observing.certificates());
    } catch (IOException e) {
      complain("consumer " + page + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
      return null;
    }
  }

  private void stop() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(5));
    }
    threads.clear();
  }

  private void complain(String complaint) {
    synchronized (complaints) {
      if (complaints.size() < MAX_COMPLAINTS) {
        complaints.add(complaint);
      }
    }
  }

  private List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    scrapes.forEach(ScrapeWatch::close);
    if (broker != null) {
      broker.close();
    }
  }
}
