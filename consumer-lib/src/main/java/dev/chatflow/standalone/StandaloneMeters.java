package dev.chatflow.standalone;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.ConsumerMeter;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.http.Answer;
import dev.chatflow.meter.MeterBook;
import dev.chatflow.standalone.record.Statistics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Every meter of the standalone consumer: name, unit and meaning. Any thread. */
final class StandaloneMeters implements ConsumerMeter, AutoCloseable {

  private static final Duration[] LAG_BUCKETS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterBook book = new MeterBook(Tags.empty());
  private final LongAdder consumed =
      book.count("chatflow.audit.messages", "chat messages recorded");
  private final LongAdder duplicates =
      book.count(
          "chatflow.audit.duplicates.dropped", "AMQP messages that had been recorded before");
  private final LongAdder gaps = book.count("chatflow.audit.gaps", "times messages may be missing");
  private final LongAdder poison =
      book.count("chatflow.audit.poison", "lines nobody can decode, sent to the dead letters");
  private final AtomicInteger unacked = new AtomicInteger();
  private final Timer lag =
      book.timer(
          "chatflow.audit.lag",
          "from the acceptance of an AMQP message's oldest line to its record",
          LAG_BUCKETS);

  StandaloneMeters() {
    book.gauge(
        "chatflow.audit.unacked", "AMQP messages not acknowledged yet", unacked, i -> i.get());
    book.bindJvm();
  }

  /** Shows what the records hold. */
  void show(Statistics statistics) {
    book.gauge(
        "chatflow.audit.records", "messages that can be read", statistics, s -> s.totals().kept());
    book.gauge(
        "chatflow.audit.records.bytes", "what they cost", statistics, s -> s.totals().bytes());
    book.counter(
        "chatflow.audit.records.dropped",
        "messages that had to go, the oldest first",
        statistics,
        s -> s.totals().dropped());
    book.counter(
        "chatflow.audit.uncounted",
        "messages of senders beyond the bound",
        statistics,
        s -> s.totals().uncounted());
    book.gauge(
        "chatflow.audit.senders", "pairs of room and sender", statistics, s -> s.senderCount());
    book.gauge("chatflow.audit.rooms", "rooms", statistics, s -> s.roomCount());
  }

  /** Shows the queues and the connection. */
  void show(List<RecordingDuty> queues, ConsumerThreads threads, BrokerConnector connector) {
    for (RecordingDuty queue : queues) {
      book.gauge(
          "chatflow.audit.queue.messages",
          "AMQP messages waiting in a queue",
          Tags.of("queue", queue.queue()),
          queue,
          q -> q.state().depth());
    }
    book.gauge(
        "chatflow.audit.stalled",
        "1 while messages wait in a queue and none has been read for 8 s",
        queues,
        all -> all.stream().anyMatch(queue -> queue.stalls(System.nanoTime())) ? 1 : 0);
    book.gauge(
        "chatflow.audit.broker.up",
        "1 while all queues are read",
        threads,
        t -> t.isReady() ? 1 : 0);
    book.counter(
        "chatflow.audit.broker.reconnects",
        "connections made again",
        connector,
        BrokerConnector::reconnects);
  }

  @Override
  public void endToEnd(Duration acceptToTaken) {
    lag.record(acceptToTaken);
  }

  @Override
  public void consumed(int messages) {
    consumed.add(messages);
  }

  @Override
  public void duplicate() {
    duplicates.increment();
  }

  @Override
  public void gap() {
    gaps.increment();
  }

  @Override
  public void poison() {
    poison.increment();
  }

  @Override
  public void unacked(int change) {
    unacked.addAndGet(change);
  }

  long duplicatesDropped() {
    return duplicates.sum();
  }

  long poisonCount() {
    return poison.sum();
  }

  /** The greatest lag of the last minutes, in ms. */
  double maxLagMillis() {
    return lag.max(TimeUnit.MILLISECONDS);
  }

  /** All meters as text, in the form the Accept header asks for. */
  Answer scrape(@Nullable String accept) {
    return book.scrape(accept);
  }

  @Override
  public void close() {
    book.close();
  }
}
