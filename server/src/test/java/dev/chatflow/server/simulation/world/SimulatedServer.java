package dev.chatflow.server.simulation.world;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.LaneReader;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.LaneBounds;
import dev.chatflow.server.publish.LaneDoor;
import dev.chatflow.server.publish.PublishLane;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import java.time.Duration;

/** One boot of a server: the product's lane and reader, in simulated time. */
public final class SimulatedServer implements Clock.Stepped {

  static final Shard SHARD = new Shard(0);
  private static final int PREFETCH = 16;
  private static final int MOST_STEPS = 100;
  private static final LaneBounds BOUNDS =
      new LaneBounds(Duration.ofSeconds(4), Duration.ofMillis(500), 4_000);
  static final ReaderConfig READERS =
      new ReaderConfig(
          1,
          PREFETCH,
          SimulatedLog.STREAM,
          SimulatedLog.RING,
          SimulatedLog.RING_BYTES,
          SimulatedLog.RING_ENTRIES,
          Duration.ofSeconds(1));

  private final World world;
  private final String name;
  private final int boot;
  private final ClusterTime time;
  private final SimulatedUplink uplink;
  private final SimulatedLogs logs;
  private final PublishLane lane;
  private final LaneReader reader;
  private final Guests guests;
  private final Witness witness;

  private long dueNanos;
  private long closedUntil;
  private long frozenUntil;
  private boolean wasFrozen;

  SimulatedServer(World world, String name, int boot) {
    this.world = world;
    this.name = name;
    this.boot = boot;
    this.time = new ClusterTime(world.clock()::now, startMillis());
    this.uplink = new SimulatedUplink(world, boot, this::isConnected);
    this.logs = new SimulatedLogs(world, boot, this::isConnected, world::overtaken);
    this.lane =
        new PublishLane(
            new Lane(name, boot, 0), time, BOUNDS, uplink, LaneDoor.noMeter(), this::wake);
    this.guests = world.cast().guests(this);
    this.witness = new Witness(world, this, guests);
    this.reader =
        new LaneReader(
            new LaneReader.Parts(
                SHARD, logs, lane, witness, guests.presence(), time, witness, READERS, this::wake));
    use();
  }

  /** Returns the wall clock at its start, wrong by up to half an hour. */
  public long startMillis() {
    return 1_000_000L + world.dice().below(2_000_000, Channel.CLOCK, boot);
  }

  public boolean isConnected() {
    return world.clock().now() >= closedUntil;
  }

  private void wake() {
    dueNanos = world.clock().now();
  }

  @Override
  public long dueNanos() {
    return Math.max(dueNanos, frozenUntil);
  }

  /** Does all work that is due. */
  @Override
  public void step() {
    long now = world.clock().now();
    lane.machineLoad(machineLoad(now));
    for (int i = 0; i < MOST_STEPS; i++) {
      dueNanos = Long.MAX_VALUE;
      long wait = Math.min(Math.min(lane.step(now), reader.step(now)), guests.step(now));
      if (wait > 0 && dueNanos > now) {
        dueNanos = now + wait;
        return;
      }
    }
    dueNanos = now + Clock.MILLI;
  }

  /** Returns a load that changes every second. */
  private double machineLoad(long now) {
    long second = now / (1_000 * Clock.MILLI);
    return world.dice().below(101, Channel.LOAD, boot * 1_000_000L + second) / 100.0;
  }

  // --- events

  /** Marks the log as used. */
  public void use() {
    reader.use();
  }

  void cutConnection(long millis) {
    closedUntil = world.clock().now() + millis * Clock.MILLI;
    logs.cut();
    uplink.cut();
  }

  void freeze(long millis) {
    wasFrozen = true;
    frozenUntil = world.clock().now() + millis * Clock.MILLI;
  }

  /** Drains the server, unless no user would notice. */
  void drain(Runnable over) {
    if (guests.drain(over)) {
      world.note(() -> this + " is drained");
      wake();
    }
  }

  /** Kills it with its state; entries in flight may still land. */
  void kill() {
    frozenUntil = Long.MAX_VALUE;
    logs.close();
    guests.killed();
  }

  /** Returns whether it is alive. */
  public boolean isAlive() {
    return frozenUntil != Long.MAX_VALUE;
  }

  public boolean wasFrozen() {
    return wasFrozen;
  }

  private boolean isFrozen() {
    return frozenUntil > world.clock().now();
  }

  /** Schedules an event for this server: delayed while it is frozen, dropped once it is dead. */
  public void later(long nanos, Runnable what) {
    world.clock().at(world.clock().now() + nanos, () -> whenAwake(what));
  }

  private void whenAwake(Runnable what) {
    if (isFrozen()) {
      if (isAlive()) {
        world.clock().at(frozenUntil, () -> whenAwake(what));
      }
    } else {
      what.run();
    }
  }

  /** Ends all faults except a long freeze: it would not detect a shorter one. */
  void heal() {
    closedUntil = 0;
    wake();
  }

  /** Returns whether it has members that a loss concerns. */
  boolean isAttached() {
    return switch (reader.state()) {
      case FOLLOWING, SEEKING_PLACE, RETURNING -> true;
      case RESTING, ASKING_LANE, SEEKING_END, READING_BACK -> false;
    };
  }

  /** Returns whether everything is published and read. */
  boolean isSettled() {
    return !isFrozen()
        && reader.state() == LaneReader.State.FOLLOWING
        && lane.bytes() == 0
        && logs.areAtEnd()
        && guests.areSettled();
  }

  public String name() {
    return name;
  }

  public int boot() {
    return boot;
  }

  public ClusterTime time() {
    return time;
  }

  public PublishLane lane() {
    return lane;
  }

  public SimulatedLogs logs() {
    return logs;
  }

  public Guests guests() {
    return guests;
  }

  public Witness witness() {
    return witness;
  }

  public LaneReader.State state() {
    return reader.state();
  }

  @Override
  public String toString() {
    return name + "/" + boot;
  }
}
