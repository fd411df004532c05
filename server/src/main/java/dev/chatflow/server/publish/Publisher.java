package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.AmqpUplink;
import dev.chatflow.server.publish.channel.ChannelPool;
import dev.chatflow.server.publish.channel.Circuit;
import dev.chatflow.server.publish.channel.CircuitState;
import dev.chatflow.server.publish.channel.Uplink;
import dev.chatflow.server.vitals.Vitals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishing side of a server: a lane for each shard, over the pooled channels of one
 * connection.
 *
 * <p>Any thread; only {@link #awaitEmpty} and {@link #close} wait. What was offered is sent until
 * the broker has confirmed it, however long that takes.
 */
public final class Publisher implements Lanes, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  /** A lane that finds no channel in this time tries again. */
  private static final Duration POOL_MAX_WAIT = Duration.ofSeconds(5);

  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);
  private static final long EMPTY_CHECK_MILLIS = 5;
  private static final long RETRY_AFTER_MILLIS = 1_000;

  private final PublishConfig config;
  private final ChannelPool pool;
  private final Circuit circuit;
  private final List<PublishLane> lanes;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Makes a publisher that does nothing before {@link #start}.
   *
   * @param connector the publisher connection, not started yet; its owner starts and closes it
   * @param links what lanes and consumers know of each other: one for each shard, by its index
   */
  public Publisher(
      PublishConfig config, BrokerConnector connector, List<ShardLink> links, PublishMeter meter) {
    this(config, LaneTiming.of(config.lanePace()), connector, links, meter);
  }

  Publisher(
      PublishConfig config,
      LaneTiming timing,
      BrokerConnector connector,
      List<ShardLink> links,
      PublishMeter meter) {
    if (links.size() != config.shards()) {
      throw new IllegalArgumentException(
          config.shards() + " shards, but " + links.size() + " links");
    }
    this.config = config;
    this.circuit = new Circuit(config.failuresToOpen());
    Uplink uplink = new AmqpUplink(connector, config.confirmTimeout());
    this.pool =
        new ChannelPool(
            uplink,
            new ChannelPool.Bounds(config.channelPoolSize(), config.shards(), POOL_MAX_WAIT),
            meter::poolWait);
    LaneTools tools = new LaneTools(uplink, pool, circuit, timing, meter);
    this.lanes = links.stream().map(link -> lane(link, tools)).toList();
    connector.listen(new Watch());
  }

  private PublishLane lane(ShardLink link, LaneTools tools) {
    Lane id = new Lane(config.serverId(), config.bootEpoch(), link.shard().index());
    FlightBuilder builder = new FlightBuilder(id, link, System::currentTimeMillis);
    return new PublishLane(new LaneQueue(config.laneBytes()), builder, link, tools);
  }

  /** Tells circuit, pool and lanes of the connection. */
  private final class Watch implements BrokerConnector.Listener {

    @Override
    public void connected() {
      circuit.connected();
      Thread.ofVirtual().name("chat-pool-fill").start(pool::fill);
      probe();
    }

    @Override
    public void lost(String why) {
      circuit.lost("connection lost: " + why);
    }
  }

  public void start() {
    lanes.forEach(PublishLane::start);
  }

  /** Every lane that has bound its shard asks the broker; else the first, which binds its own. */
  private void probe() {
    int connection = circuit.connection();
    List<PublishLane> bound = lanes.stream().filter(PublishLane::isBound).toList();
    (bound.isEmpty() ? lanes.subList(0, 1) : bound).forEach(lane -> lane.probe(connection));
  }

  @Override
  public boolean offer(Outgoing message, Drained sender) {
    return lane(message.room()).offer(message, sender);
  }

  private PublishLane lane(RoomId room) {
    return lanes.get(Shard.of(room, config.shards()).index());
  }

  @Override
  public boolean acceptsNew(RoomId room) {
    return circuit() == CircuitState.CLOSED && lane(room).belowBound();
  }

  /** Whether every lane is below half of its bound. */
  public boolean belowHighMark() {
    return lanes.stream().allMatch(PublishLane::belowHalf);
  }

  /** Spread, so that not all come at once. */
  @Override
  public long retryAfterMillis() {
    return RETRY_AFTER_MILLIS + ThreadLocalRandom.current().nextLong(RETRY_AFTER_MILLIS);
  }

  public CircuitState circuit() {
    return circuit.state();
  }

  public List<Vitals.Lane> lanes() {
    return lanes.stream().map(PublishLane::view).toList();
  }

  /** Channels that lanes hold now. */
  public int channelsActive() {
    return pool.active();
  }

  /** Open channels that nobody holds. */
  public int channelsIdle() {
    return pool.idle();
  }

  /**
   * Waits until all that was offered is confirmed and has come back to this server.
   *
   * @return false when that takes longer
   */
  public boolean awaitEmpty(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!lanes.stream().allMatch(PublishLane::isEmpty)) {
      boolean isClosed = closed.await(EMPTY_CHECK_MILLIS, TimeUnit.MILLISECONDS);
      if (isClosed || System.nanoTime() - end >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Ends the lanes and gives up what is left in them, which is counted and logged. */
  @Override
  public void close() {
    closed.countDown();
    lanes.forEach(PublishLane::close);
    int givenUp = 0;
    try {
      for (PublishLane lane : lanes) {
        givenUp += lane.awaitEnd(CLOSE_PATIENCE);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (givenUp > 0) {
      log.warn("{} accepted messages given up: not confirmed before the stop", givenUp);
    }
    pool.close();
  }
}
