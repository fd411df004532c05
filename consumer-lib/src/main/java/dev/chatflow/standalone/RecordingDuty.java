package dev.chatflow.standalone;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Topology;
import dev.chatflow.consumer.BodyReader;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerMeter;
import dev.chatflow.consumer.Delivery;
import dev.chatflow.consumer.DuplicateFilter;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import dev.chatflow.consumer.DuplicateFilter.Verdict;
import dev.chatflow.consumer.Duty;
import dev.chatflow.consumer.LaneHeaders;
import dev.chatflow.message.line.DeadLetter;
import dev.chatflow.message.line.Line;
import dev.chatflow.room.Shard;
import dev.chatflow.standalone.record.Recorder;
import dev.chatflow.time.Progress;
import dev.chatflow.time.Seldom;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standalone consumer's duty: one of its durable queues, bound for ever to its shards, to a
 * {@link Recorder}.
 *
 * <p>Belongs to the consumer thread; {@link #state} by any. No lane of its own tells it that a
 * queue or a binding vanished in silence: it declares and binds again every five seconds.
 */
final class RecordingDuty implements Duty {

  /**
   * One of the queues.
   *
   * @param name its name on the broker
   * @param open whether it is read now
   * @param depth AMQP messages that wait in it, as it was up to five seconds ago
   */
  record QueueState(String name, boolean open, long depth) {}

  private static final Logger log = LoggerFactory.getLogger(RecordingDuty.class);
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ConsumerConfig config;
  private final int number;
  private final BrokerConnector connector;
  private final Recorder recorder;
  private final ConsumerMeter meter;
  private final DuplicateFilter filter;
  private final LaneHeaders headers;
  private final BodyReader bodies;
  private volatile long depth;
  private volatile boolean open;

  private boolean stale;
  private boolean declared;
  private long checkedNanos = System.nanoTime();
  private final Progress progress = new Progress();
  private final LongAdder taken = new LongAdder();
  private final Seldom gapLines = new Seldom(Duration.ofSeconds(10), System.nanoTime());
  private long oldestMillis;

  RecordingDuty(
      ConsumerConfig config,
      int number,
      boolean fresh,
      BrokerConnector connector,
      Recorder recorder,
      ConsumerMeter meter) {
    this.stale = fresh;
    this.config = config;
    this.number = number;
    this.connector = connector;
    this.recorder = recorder;
    this.meter = meter;
    this.filter = new DuplicateFilter();
    this.headers = new LaneHeaders(this::hasShard);
    this.bodies = new BodyReader(this::record, meter);
  }

  private boolean hasShard(int shard) {
    return config.hasShard(number, shard);
  }

  QueueState state() {
    return new QueueState(queue(), open, depth);
  }

  /** Whether messages wait in the queue and none has been recorded for 8 s. Any thread. */
  boolean stalls(long nowNanos) {
    return progress.stalls(depth > 0, taken.sum(), nowNanos);
  }

  @Override
  public String queue() {
    return Topology.standaloneQueue(number);
  }

  /** Two would halve each other's records and both see gaps. */
  @Override
  public boolean readsAlone() {
    return true;
  }

  /** It goes on filling while the process restarts. */
  @Override
  public boolean deletesQueue() {
    return false;
  }

  @Override
  public void declare(Connection connection) throws BrokerException {
    Topology.findShared(connection, config.shards(), connector.nodes());
    if (stale) {
      Topology.delete(connection, Topology.standaloneQueue(number));
      stale = false;
    }
    boolean created = declareQueue(connection);
    if (!declared) {
      if (!created) {
        Topology.unbindOthers(connection, number, config.shards(), this::hasShard);
      }
      log.info("queue {} {}", queue(), created ? "is new" : "was there and is read on");
    }
    declared = true;
  }

  /** A queue that had to be made anew: with the old one went what nobody had read. */
  private boolean declareQueue(Connection connection) throws BrokerException {
    boolean created =
        Topology.declareStandaloneQueue(
            connection, number, config.shards(), this::hasShard, connector.nodes());
    if (created && declared) {
      filter.boundAnew();
      for (int shard = number; shard < config.shards(); shard += config.threads()) {
        lost(new Shard(shard));
      }
    }
    return created;
  }

  @Override
  public void opened(int epoch) {
    open = true;
    checkedNanos = System.nanoTime();
  }

  @Override
  public void closed() {
    open = false;
  }

  @Override
  public void take(Delivery delivery, long nowMillis) {
    taken.increment();
    Arrival arrival = headers.arrival(delivery.properties());
    Verdict verdict = arrival == null ? Verdict.NEW : filter.judge(arrival, nowMillis);
    if (verdict == Verdict.DUPLICATE) {
      meter.duplicate();
      return;
    }
    if (arrival != null && verdict == Verdict.LOSS) {
      lost(new Shard(arrival.lane().shard()));
    }
    oldestMillis = Long.MAX_VALUE;
    int messages = bodies.read(delivery);
    if (messages > 0) {
      meter.consumed(messages);
      long tookMillis = System.currentTimeMillis() - oldestMillis;
      meter.endToEnd(Duration.ofMillis(Math.max(0, tookMillis)));
    }
  }

  private @Nullable String record(Line.Message message) {
    Shard shard = Shard.of(message.room(), config.shards());
    if (!hasShard(shard.index())) {
      return "room " + message.room() + " is not of the shard it was sent to";
    }
    oldestMillis = Math.min(oldestMillis, message.serverMillis());
    recorder.recorded(message);
    return null;
  }

  /** Every gap is counted; one that drags on is logged every ten seconds. */
  private void lost(Shard shard) {
    if (gapLines.take(System.nanoTime()) != Seldom.NOT_NOW) {
      log.warn("messages of shard {} may be missing from the records", shard.index());
    }
    meter.gap();
    recorder.gap(shard);
  }

  @Override
  public Queue<DeadLetter> deadLetters() {
    return bodies.deadLetters();
  }

  @Override
  public void tick(long nowMillis) {
    boolean _ = stalls(System.nanoTime());
  }

  @Override
  public @Nullable String wrong(boolean idle) throws BrokerException {
    long now = System.nanoTime();
    Connection connection = connector.connection();
    if (now - checkedNanos < CHECK_NANOS || connection == null) {
      return null;
    }
    checkedNanos = now;
    Topology.findShared(connection, config.shards(), connector.nodes());
    boolean created = declareQueue(connection);
    depth = Topology.depth(connection, queue());
    return created ? "it was gone" : null;
  }
}
