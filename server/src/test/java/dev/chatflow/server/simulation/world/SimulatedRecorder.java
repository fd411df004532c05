package dev.chatflow.server.simulation.world;

import dev.chatflow.log.PositionReader;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Fault;
import dev.chatflow.server.simulation.plan.Met.What;
import java.util.List;

/**
 * The standalone consumer: the product's reader in simulated time. It reads the servers' log,
 * commits, is killed, and starts again from its committed log position.
 */
public final class SimulatedRecorder implements Clock.Stepped {

  private static final int MOST_STEPS = 100;
  private static final long PAUSE_NANOS = 50 * Clock.MILLI;

  /** Negative, because servers count their boots from 1. */
  private int boot = -1;

  private final World world;
  private final SimulatedRecord record;
  private SimulatedLogs logs;
  private PositionReader reader;
  private long dueNanos;
  private long closedUntil;
  private long asleepUntil;
  private long faultNanos;
  private int faults;

  SimulatedRecorder(World world) {
    this.world = world;
    this.logs = newLogs();
    this.record = new SimulatedRecord(world, logs);
    this.reader = newReader();
    planFault();
  }

  private SimulatedLogs newLogs() {
    return new SimulatedLogs(world, boot, () -> world.clock().now() >= closedUntil, () -> {});
  }

  private PositionReader newReader() {
    return new PositionReader(
        new PositionReader.Parts(
            SimulatedServer.SHARD,
            logs,
            record,
            record,
            SimulatedServer.READERS,
            record.position(),
            0,
            this::wake));
  }

  private void wake() {
    dueNanos = world.clock().now();
  }

  private int below(int bound, int which) {
    return world.dice().below(bound, Channel.RECORDER, 8L * faults + which);
  }

  @Override
  public long dueNanos() {
    long due = Math.max(dueNanos, asleepUntil);
    return world.isFaulty() ? Math.min(due, faultNanos) : due;
  }

  @Override
  public void step() {
    long now = world.clock().now();
    if (world.isFaulty() && now >= faultNanos) {
      happen();
      planFault();
    }
    if (now >= asleepUntil) {
      read(now);
      record.commitSoon();
    }
  }

  private void read(long now) {
    for (int i = 0; i < MOST_STEPS; i++) {
      dueNanos = Long.MAX_VALUE;
      long wait = guarded(now);
      if (wait > 0 && dueNanos > now) {
        dueNanos = now + wait;
        return;
      }
    }
    dueNanos = now + Clock.MILLI;
  }

  /** Steps with the guard of the product's thread. */
  private long guarded(long now) {
    try {
      return reader.step(now);
    } catch (SimulatedRecord.Defect defect) {
      reader.restart("a defect", now);
      return PAUSE_NANOS;
    }
  }

  // --- faults

  private void planFault() {
    faults++;
    faultNanos = world.clock().now() + (50 + below(4_000, 0)) * Clock.MILLI;
  }

  private void happen() {
    int draw = below(8, 1);
    long millis = below(draw % 2 == 0 ? 300 : 3_000, 2);
    switch (draw) {
      case 0 -> cutReading();
      case 1, 2 -> cutConnection(millis);
      case 3 -> freeze(millis);
      default -> kill(millis);
    }
  }

  private void cutReading() {
    if (world.plan().has(Fault.READING_CUT)) {
      logs.cut();
    }
  }

  private void cutConnection(long millis) {
    if (world.plan().has(Fault.CONNECTION_CUT)) {
      loseConnection(millis);
    }
  }

  private void loseConnection(long millis) {
    closedUntil = world.clock().now() + millis * Clock.MILLI;
    logs.cut();
  }

  private void freeze(long millis) {
    if (world.plan().has(Fault.FREEZE)) {
      asleepUntil = world.clock().now() + millis * Clock.MILLI;
    }
  }

  private void kill(long millis) {
    if (!world.plan().has(Fault.BOOT)) {
      return;
    }
    boot--;
    logs.close();
    logs = newLogs();
    record.killed(below(2, 3) == 0, logs);
    reader = newReader();
    asleepUntil = world.clock().now() + millis * Clock.MILLI;
    world.met().count(What.RECORDER_KILLED);
    world.note(() -> "the recorder is killed, and goes on at " + record.position());
  }

  /** Reports that the broker came back without the end of the log. */
  void logWasCut(int position, List<SimulatedLog.Stored> tail) {
    record.logWasCut(position, tail);
    loseConnection(world.dice().below(500, Channel.TAIL, -position));
  }

  void heal() {
    closedUntil = 0;
    wake();
  }

  /** Returns whether everything is read and committed. */
  boolean isSettled() {
    return asleepUntil <= world.clock().now()
        && isFollowing()
        && logs.areAtEnd()
        && record.isCommitted();
  }

  public boolean isFollowing() {
    return reader.state() == PositionReader.State.FOLLOWING;
  }

  SimulatedLogs logs() {
    return logs;
  }

  public SimulatedRecord record() {
    return record;
  }
}
