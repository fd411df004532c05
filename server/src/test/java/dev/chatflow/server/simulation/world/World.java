package dev.chatflow.server.simulation.world;

import dev.chatflow.log.Digest;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.plan.Dice;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Kind;
import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.plan.Plan;
import dev.chatflow.server.simulation.plan.Spoiled;
import dev.chatflow.server.simulation.plan.Step;
import dev.chatflow.server.simulation.plan.Trace;
import dev.chatflow.server.simulation.world.SimulatedLog.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** One run of one plan: the cluster, its log and its time. One thread. */
public final class World {

  private static final long HOP_NANOS = 500 * Clock.MILLI;
  private static final int MOST_HOPS = 160;

  /**
   * Length of a freeze that a server detects: a shorter one would exceed these small windows
   * undetected.
   */
  private static final int NOTICED_MILLIS = 17_000;

  /**
   * Once settled for this long, nothing more happens: twice a reader's wait for the entry it
   * published.
   */
  private static final int QUIET_HOPS = 8;

  private final Plan plan;
  private final Met met;
  private final Trace trace;
  private final Spoiled spoiled;
  private final Clock clock = new Clock();
  private final SimulatedLog log;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final Cast cast;
  private final SimulatedRecorder recorder;
  private final List<SimulatedServer> killed = new ArrayList<>();
  private boolean faulty = true;
  private boolean cut;
  private boolean overtaken;
  private final Map<Integer, Digest> presence = new HashMap<>();
  private int ids;
  private int boots;

  /**
   * Creates the world.
   *
   * @param cast the users of its servers
   */
  public World(Plan plan, Met met, Trace trace, Spoiled spoiled, Function<World, Cast> cast) {
    this.plan = plan;
    this.met = met;
    this.trace = trace;
    this.spoiled = spoiled;
    this.log = new SimulatedLog(plan.kind() == Kind.RING);
    this.cast = cast.apply(this);
    for (int i = 0; i < plan.servers(); i++) {
      servers.add(boot("s" + i));
    }
    this.recorder = new SimulatedRecorder(this);
    clock.add(recorder);
  }

  private SimulatedServer boot(String name) {
    SimulatedServer server = new SimulatedServer(this, name, ++boots);
    clock.add(server);
    return server;
  }

  /** Plays the plan, ends all faults, and waits until the run is quiet. */
  public void run() {
    for (Step step : plan.steps()) {
      clock.runUntil(step.atMillis() * Clock.MILLI);
      act(step);
    }
    faulty = false;
    servers.forEach(SimulatedServer::heal);
    recorder.heal();
    settle();
  }

  /** Ends after the maximum only at a moment at which everything published was read. */
  private void settle() {
    int quiet = 0;
    for (int hop = 0; quiet < (hop < MOST_HOPS ? QUIET_HOPS : 1) && hop < 2 * MOST_HOPS; hop++) {
      servers.forEach(SimulatedServer::use);
      clock.runUntil(clock.now() + HOP_NANOS);
      boolean settled = cast.isSettled();
      settled &= recorder.isSettled();
      settled &= servers.stream().allMatch(SimulatedServer::isSettled);
      quiet = settled ? quiet + 1 : 0;
      quiet = clock.isQuiet() ? quiet : Math.min(quiet, QUIET_HOPS / 2);
    }
  }

  private void act(Step step) {
    SimulatedServer server = servers.get(step.actor());
    note(() -> "step " + step + " at " + server);
    switch (step.action()) {
      case JOIN, TEXT, LEAVE, CUT_CLIENT, STALL_CLIENT, POST -> cast.act(step, server);
      case CUT_CONNECTION -> server.cutConnection(shortOrLong(step, 3_000));
      case CUT_READING -> server.logs().cut();
      case FREEZE -> server.freeze(plan.isCrowded() ? NOTICED_MILLIS : shortOrLong(step, 5_000));
      case BOOT -> reboot(step.actor());
      case DRAIN -> drain(step);
      case CUT_TAIL -> cutTail(step);
    }
  }

  public Cast cast() {
    return cast;
  }

  /** Returns a duration, often so short that other servers publish no more than some windows. */
  private static int shortOrLong(Step step, int mostMillis) {
    return step.below((step.value() >>> 50 & 1) == 0 ? mostMillis / 5 : mostMillis);
  }

  private void reboot(int index) {
    SimulatedServer old = servers.get(index);
    old.kill();
    clock.remove(old);
    killed.add(old);
    servers.set(index, boot(old.name()));
  }

  /** Drains a server, which starts again some time after it has stopped. */
  private void drain(Step step) {
    SimulatedServer server = servers.get(step.actor());
    server.drain(() ->
        clock.after(
            step.below(1_000),
            () -> {
              if (servers.get(step.actor()).equals(server)) {
                reboot(step.actor());
              }
            }));
  }

  /** Restarts the broker without its last entries, whose offsets are used again. */
  private void cutTail(Step step) {
    int position = Math.max(log.oldest(), log.size() - 1 - step.below(12));
    if (position >= log.size()) {
      return;
    }
    List<Stored> tail = log.cut(position);
    cut = true;
    cast.logWasCut();
    met.count(What.LOST_TAIL);
    all().forEach(server -> server.witness().logWasCut(position, tail, server.isAttached()));
    recorder.logWasCut(position, tail);
    for (SimulatedServer server : servers) {
      int millis = dice().below(500, Channel.TAIL, 10L * step.number() + server.boot());
      server.cutConnection(millis);
    }
  }

  void append(LaneEntry entry) {
    note(() -> entry.lane() + " " + entry.number() + " lands at " + log.size());
    log.append(entry);
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).logs().appended();
    }
    recorder.logs().appended();
  }

  /** Fails the run if a guarantee is broken. */
  public void check(boolean holds, Supplier<String> what) {
    if (!holds) {
      note(() -> "FAILED: " + what.get());
      throw new AssertionError(what.get());
    }
  }

  public void note(Supplier<String> what) {
    trace.note(clock.now(), what);
  }

  public String nextId() {
    return Integer.toString(ids++);
  }

  /** Returns all servers that ever existed. */
  public List<SimulatedServer> all() {
    List<SimulatedServer> all = new ArrayList<>(killed);
    all.addAll(servers);
    return all;
  }

  public List<SimulatedServer> servers() {
    return servers;
  }

  public SimulatedRecorder recorder() {
    return recorder;
  }

  boolean isFaulty() {
    return faulty;
  }

  /** Notes that a reader missed entries that its ring overwrote. */
  void overtaken() {
    overtaken = true;
  }

  /** Returns whether a server may not know everything that others have shown. */
  public boolean hasHoles() {
    return cut || overtaken;
  }

  /** Returns the presence at a position of the log, as the first server reported it. */
  Map<Integer, Digest> presence() {
    return presence;
  }

  /** Returns whether the log ever lost its end. */
  public boolean isCut() {
    return cut;
  }

  public Plan plan() {
    return plan;
  }

  public Dice dice() {
    return plan.dice();
  }

  public Clock clock() {
    return clock;
  }

  public SimulatedLog log() {
    return log;
  }

  public Met met() {
    return met;
  }

  Spoiled spoiled() {
    return spoiled;
  }
}
