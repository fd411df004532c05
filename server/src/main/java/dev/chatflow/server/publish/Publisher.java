package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Nodes;
import dev.chatflow.log.BlockOutlet;
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
 * <p>Thread-safe; only {@link #close} waits.
 */
public final class Publisher implements Lanes, BlockOutlet, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  /** A lane that gets no channel within this time tries again. */
  private static final Duration POOL_MAX_WAIT = Duration.ofSeconds(5);

  /** With several nodes, a node that has confirmed nothing for this long is left. */
  private static final Duration NODE_CONFIRMS_WITHIN = Duration.ofSeconds(10);

  /** Time between two entries of a lane in use. */
  private static final Duration BEACON_EVERY = Duration.ofSeconds(4);

  /** The interval of {@link #look}. */
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
   * Creates a publisher that is idle until {@link #start}.
   *
   * @param connector the publisher connection, not started yet; its owner starts and closes it
   * @param probe called for each new connection: makes a lane publish an entry
   * @param statistics returns the statistics of this server; called every few seconds, by any
   *     thread
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
    LaneMeter watched = new CircuitMeter(meter);
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

  /** Reports the lanes' results to the circuit. */
  private final class CircuitMeter implements LaneMeter {
    private final PublishMeter meter;

    CircuitMeter(PublishMeter meter) {
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

  /** Reports the connection to circuit, pool and lanes. */
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

  /** Sets the function that attaches the log of a room's shard; call it once, before the start. */
  public void onUse(Consumer<RoomId> attach) {
    user = attach;
  }

  public void start() {
    for (int index = 0; index < threads.size(); index++) {
      threads.get(index).start(List.of(lanes.get(index)));
    }
  }

  /** Returns the lane of a shard, for its reader. */
  public OwnLane lane(Shard shard) {
    return lanes.get(shard.index());
  }

  @Override
  public boolean isOwn(Lane lane) {
    return lane.shard() < lanes.size() && lanes.get(lane.shard()).name().equals(lane);
  }

  @Override
  public void publish(Shard shard, byte[] block) {
    uplink.send(shard, block);
  }

  private PublishLane lane(RoomId room) {
    return lanes.get(Shard.of(room, lanes.size()).index());
  }

  @Override
  public OfferResult offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
    OfferResult offer = lane(room).offer(line, sender);
    if (offer == OfferResult.NOT_NOW) {
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

  /**
   * Samples whether new clients could be accepted now, and tells the lanes the load; call it every
   * {@link #LOOK}.
   *
   * @param machineLoad share of the machine's CPU in use, 0 to 1
   */
  public void look(long nowNanos, double machineLoad) {
    lanes.forEach(lane -> lane.machineLoad(machineLoad));
    boolean confirms = circuit() == CircuitState.CLOSED;
    openings.look(shard -> confirms && lanes.get(shard).isTaking(), nowNanos);
  }

  /** Returns whether every lane is below half of its bound. */
  public boolean belowHighMark() {
    return lanes.stream().allMatch(PublishLane::belowHalf);
  }

  /** Returns a random wait, so that clients do not return at the same time. */
  @Override
  public long retryAfterMillis() {
    return RETRY_AFTER_MILLIS + ThreadLocalRandom.current().nextLong(RETRY_AFTER_MILLIS);
  }

  public CircuitState circuit() {
    return circuit.state();
  }

  /** Returns the reason of the circuit's state, for operators. */
  public String circuitReason() {
    return circuit.why();
  }

  public List<Vitals.Lane> lanes() {
    return IntStream.range(0, lanes.size())
        .mapToObj(
            index -> new Vitals.Lane(index, lanes.get(index).waiting(), lanes.get(index).entries()))
        .toList();
  }

  /** Returns why accepted messages are not published, for operators; empty if they are. */
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

  /** Returns the channels in use by lanes. */
  public int channelsActive() {
    return uplink.active();
  }

  /** Returns the idle open channels. */
  public int channelsIdle() {
    return uplink.idle();
  }

  /** Announces to the other servers that this one stops; returns whether all logs contain it. */
  public boolean farewell() {
    return lanes.stream().filter(lane -> !lane.farewell()).count() == 0;
  }

  /** Returns whether everything accepted has come back to this server. */
  public boolean isEmpty() {
    return lanes.stream().allMatch(PublishLane::isIdle);
  }

  /** Ends the lanes and drops their remaining lines, which is counted and logged. */
  @Override
  public void close() {
    threads.forEach(StepThread::close);
    long bytes = lanes.stream().mapToLong(PublishLane::bytes).sum();
    if (bytes > 0) {
      log.warn("{} bytes of accepted messages dropped: not read back", bytes);
    }
    uplink.close();
  }
}
