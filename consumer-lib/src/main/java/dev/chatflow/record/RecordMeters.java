package dev.chatflow.record;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.log.ReaderMeter;
import dev.chatflow.support.Answer;
import dev.chatflow.support.MeterBook;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The meters of the standalone consumer: name, unit and meaning. Thread-safe. */
public final class RecordMeters implements RecordMeter, ReaderMeter, AutoCloseable {

  private static final Duration[] BUCKETS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterBook book = new MeterBook(Tags.empty());
  private final LongAdder messages =
      book.count("chatflow.record.messages", "messages written to the archive");
  private final LongAdder failures =
      book.count("chatflow.record.failures", "times the database was away or did not answer");
  private final LongAdder poison =
      book.count("chatflow.record.poison", "lines and messages sent to the dead letters");
  private final LongAdder gaps =
      book.count("chatflow.record.gaps", "times messages may be missing");
  private final LongAdder incomplete =
      book.count("chatflow.record.incomplete", "times a shard log held less than the window");
  private final LongAdder deletions =
      book.count("chatflow.record.deletions", "steps that deleted old messages");
  private final Map<Passed, LongAdder> passed = new EnumMap<>(Passed.class);
  private final AtomicInteger unacked = new AtomicInteger();
  private final Timer commit =
      book.timer("chatflow.record.commit", "time of a committed transaction", BUCKETS);
  private final Timer lag =
      book.timer(
          "chatflow.record.lag",
          "time from the acceptance of a transaction's oldest message to its commit; two clocks",
          BUCKETS);

  public RecordMeters() {
    for (Passed why : Passed.values()) {
      passed.put(
          why,
          book.count(
              "chatflow.record.passed",
              "skipped entries: COPY, LATE, UNKNOWN",
              Tags.of("why", why.name())));
    }
    book.gauge(
        "chatflow.record.unacked",
        "AMQP messages that are not acknowledged yet",
        unacked,
        i -> i.get());
    book.bindJvm();
  }

  /** Registers the meters of the recorder. */
  public void show(LogRecorder recorder, BrokerConnector connector) {
    book.gauge(
        "chatflow.record.waiting",
        "messages read and not yet in a transaction",
        recorder,
        LogRecorder::waiting);
    book.gauge(
        "chatflow.record.lag.now.seconds",
        "age of the oldest message that is read and not written",
        recorder,
        r -> r.lagMillis() / 1e3);
    book.gauge(
        "chatflow.record.log.covers.seconds",
        "how long the shard logs hold messages at the present rate",
        recorder,
        r -> r.coverSeconds() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : r.coverSeconds());
    book.gauge(
        "chatflow.record.up",
        "1 while logs are read and the database is written; 0 after 8 s without progress",
        recorder,
        r -> r.isReady() ? 1 : 0);
    book.counter(
        "chatflow.record.broker.reconnects",
        "reconnects to the broker",
        connector,
        BrokerConnector::reconnects);
  }

  @Override
  public void committed(long count, long tookNanos, long lagMillis) {
    messages.add(count);
    commit.record(Duration.ofNanos(tookNanos));
    if (count > 0) {
      lag.record(Duration.ofMillis(lagMillis));
    }
  }

  @Override
  public void failed() {
    failures.increment();
  }

  @Override
  public void poison() {
    poison.increment();
  }

  @Override
  public void retained() {
    deletions.increment();
  }

  @Override
  public void gap() {
    gaps.increment();
  }

  @Override
  public void passed(Passed why) {
    LongAdder counter = passed.get(why);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void unacked(int change) {
    unacked.addAndGet(change);
  }

  @Override
  public void incomplete() {
    incomplete.increment();
  }

  /** Does nothing: these readers do not attach. */
  @Override
  public void attached(long tookNanos, long entries) {}

  long messageCount() {
    return messages.sum();
  }

  long poisonCount() {
    return poison.sum();
  }

  long gapCount() {
    return gaps.sum();
  }

  /** Returns the greatest lag of the last minutes, in ms. */
  double maxLagMillis() {
    return lag.max(TimeUnit.MILLISECONDS);
  }

  /** Returns all meters as text, in the format of the Accept header. */
  public Answer scrape(@Nullable String accept) {
    return book.scrape(accept);
  }

  @Override
  public void close() {
    book.close();
  }
}
