package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Nodes;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.OwnLane;
import dev.chatflow.log.ServerStatistics;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.support.Progress;
import dev.chatflow.support.StepThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishing side of a server: a lane for each shard, each with a thread {@code chat-lane-n},
 * over the pooled channels of one connection.
 *
 * <p>Any thread; only {@link #close} waits.
 */
public final class Publisher implements Lanes, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  /** A lane that finds no channel in this time tries again. */
  private static final Duration POOL_MAX_WAIT = Duration.ofSeconds(5);

  /** Of several nodes, one that has confirmed nothing for so long is not waited for. */
  private static final Duration NODE_CONFIRMS_WITHIN = Duration.ofSeconds(10);

  /** Time between two entries of a lane in use. */
  private static final Duration BEACON_EVERY = Duration.ofSeconds(4);

  /** From one {@link #look} to the next. */
  public static final Duration LOOK = Duration.ofSeconds(1);

  private static final long RETRY_AFTER_MILLIS = 1_000;

  private final BrokerConnector connector;
  private final AmqpUplink uplink;
  private final LaneOpenTimes openings;
  private final Circuit circuit;
  private final List<StepThread> threads;
  private final List<PublishLane> lanes;
  private final List<Progress> progress;
  private volatile Consumer<RoomId> user = _ -> {};

  /**
   * Makes a publisher that does nothing before {@link #start}.
   *
   * @param connector the publisher connection, not started yet; its owner starts and closes it
   * @param probe told on each new connection: makes some lane publish something
   * @param statistics how this server goes; asked every few seconds, by any thread
   */
  public Publisher(
      PublishConfig config,
      BrokerConnector connector,
      ClusterTime time,
      PublishMeter meter,
      Runnable probe,
      Supplier<ServerStatistics> statistics) {
    this.connector = connector;
    this.openings = new LaneOpenTimes(config.shards(), System.nanoTime());
    this.circuit = new Circuit(config.failuresToOpen());
    this.uplink =
        new AmqpUplink(
            connector,
            new AmqpUplink.Channels(
                config.channelPoolSize(), config.shards(), POOL_MAX_WAIT, meter::poolWait),
            System::currentTimeMillis,
            new StatisticsSchedule(config.shards(), statistics, System.nanoTime()));
    LaneBounds bounds =
        new LaneBounds(BEACON_EVERY, confirmTimeout(config, connector), config.laneBytes());
    LaneMeter watched = new Watched(meter);
    this.threads =
        IntStream.range(0, config.shards())
            .mapToObj(index -> new StepThread("chat-lane-" + index))
            .toList();
    this.lanes =
        IntStream.range(0, config.shards())
            .mapToObj(index ->
                new PublishLane(
                    new Lane(config.serverId(), config.bootEpoch(), index),
                    time,
                    bounds,
                    uplink,
                    watched,
                    threads.get(index)::wake))
            .toList();
    this.progress = lanes.stream().map(_ -> new Progress()).toList();
    connector.listen(new Watch(probe));
  }

  private static Duration confirmTimeout(PublishConfig config, BrokerConnector connector) {
    boolean waits =
        connector.nodes() == Nodes.ONE
            || config.confirmTimeout().compareTo(NODE_CONFIRMS_WITHIN) < 0;
    return waits ? config.confirmTimeout() : NODE_CONFIRMS_WITHIN;
  }

  /** Tells the circuit what the lanes see. */
  private final class Watched implements LaneMeter {
    private final PublishMeter meter;

    Watched(PublishMeter meter) {
      this.meter = meter;
    }

    @Override
    public void waited(Duration acceptedToPublish) {
      meter.waited(acceptedToPublish);
    }

    @Override
    public void confirmed(int lines, Duration confirm, int retries) {
      circuit.confirmed();
      meter.confirmed(lines, confirm, retries);
    }

    @Override
    public void failed(long number, Confirm outcome) {
      log.debug("entry {} not confirmed: {}", number, outcome);
      circuit.failed("not confirmed: " + outcome);
      if (outcome instanceof Confirm.TimedOut) {
        connector.moveOn(NODE_CONFIRMS_WITHIN, "entries are not confirmed");
      }
      meter.failed(number, outcome);
    }

    @Override
    public void readBack(Duration publishToRead) {
      meter.readBack(publishToRead);
    }

    @Override
    public void shown(Duration acceptedToShown) {
      meter.shown(acceptedToShown);
    }
  }

  /** Tells circuit, pool and lanes of the connection. */
  private final class Watch implements BrokerConnector.Listener {
    private final Runnable probe;

    Watch(Runnable probe) {
      this.probe = probe;
    }

    @Override
    public void connected() {
      circuit.connected();
      Thread.ofVirtual().name("chat-pool-fill").start(uplink::fill);
      List<PublishLane> taking = lanes.stream().filter(PublishLane::isTaking).toList();
      taking.forEach(PublishLane::beacon);
      if (taking.isEmpty()) {
        probe.run();
      }
    }

    @Override
    public void lost(String why) {
      circuit.lost("connection lost: " + why);
    }
  }

  /** Who attaches the log of a room's shard; set once, before anything starts. */
  public void onUse(Consumer<RoomId> attach) {
    user = attach;
  }

  public void start() {
    for (int index = 0; index < threads.size(); index++) {
      threads.get(index).start(List.of(lanes.get(index)));
    }
  }

  /** The lane of a shard, for its reader. */
  public OwnLane lane(Shard shard) {
    return lanes.get(shard.index());
  }

  private PublishLane lane(RoomId room) {
    return lanes.get(Shard.of(room, lanes.size()).index());
  }

  @Override
  public Offer offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
    Offer offer = lane(room).offer(line, sender);
    if (offer == Offer.NOT_NOW) {
      user.accept(room);
    }
    return offer;
  }

  @Override
  public boolean acceptsNew(RoomId room) {
    return circuit() == CircuitState.CLOSED && lane(room).belowBound();
  }

  @Override
  public void use(RoomId room) {
    user.accept(room);
  }

  @Override
  public long openNanos(RoomId room, long nowNanos) {
    return openings.openNanos(Shard.of(room, lanes.size()).index(), nowNanos);
  }

  /** Looks whether newcomers could be taken now; to be called every {@link #LOOK}. */
  public void look(long nowNanos) {
    boolean confirms = circuit() == CircuitState.CLOSED;
    openings.look(shard -> confirms && lanes.get(shard).isTaking(), nowNanos);
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

  /** Why the circuit is as it is, for operators. */
  public String circuitReason() {
    return circuit.why();
  }

  public List<Vitals.Lane> lanes() {
    return IntStream.range(0, lanes.size())
        .mapToObj(
            index -> new Vitals.Lane(index, lanes.get(index).waiting(), lanes.get(index).entries()))
        .toList();
  }

  /** Why accepted messages are not published, in words for an operator; empty when they are. */
  public String stall(long nowNanos) {
    for (int shard = 0; shard < lanes.size(); shard++) {
      PublishLane lane = lanes.get(shard);
      if (progress.get(shard).stalls(lane.waits(), lane.done(), nowNanos)) {
        return "nothing of shard " + shard + " was confirmed or read back for 8 s";
      }
    }
    return threads.stream()
        .map(StepThread::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Channels that lanes hold now. */
  public int channelsActive() {
    return uplink.active();
  }

  /** Open channels that nobody holds. */
  public int channelsIdle() {
    return uplink.idle();
  }

  /** Tells the other servers that this one goes; whether that stands in all logs. */
  public boolean farewell() {
    return lanes.stream().filter(lane -> !lane.farewell()).count() == 0;
  }

  /** Whether all that was taken has come back to this server. */
  public boolean isEmpty() {
    return lanes.stream().allMatch(PublishLane::isIdle);
  }

  /** Ends the lanes and gives up what is left in them, which is counted and logged. */
  @Override
  public void close() {
    threads.forEach(StepThread::close);
    long bytes = lanes.stream().mapToLong(PublishLane::bytes).sum();
    if (bytes > 0) {
      log.warn("{} bytes of accepted messages given up: not seen to come back", bytes);
    }
    uplink.close();
  }
}
