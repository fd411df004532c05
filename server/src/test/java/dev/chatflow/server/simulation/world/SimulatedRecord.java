package dev.chatflow.server.simulation.world;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.EntryStore;
import dev.chatflow.log.LogPosition;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Fault;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.world.SimulatedLog.Stored;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The database of the recorder: committed entries with the log position after them, and entries
 * that wait for the next commit. Only the committed ones survive a kill.
 */
public final class SimulatedRecord implements EntryStore, QuietMeter {

  private static final int MOST_WAITING = 30;

  /** After a gap, entries are decided as elsewhere once two windows have been read. */
  private static final int UNSURE_ENTRIES = 2 * SimulatedLog.STREAM.entries() + 1;

  /** Thrown by the database, like a defect in it. */
  static final class Defect extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * How far the log was read.
   *
   * @param last index of the last entry in the log
   * @param position the log position after that entry, or null before the first
   * @param unsure number of next entries that are not compared
   * @param cuts number of cuts of the log that were detected
   */
  private record Progress(int last, @Nullable LogPosition position, int unsure, int cuts) {}

  /**
   * An entry that waits for a commit, or a gap.
   *
   * @param lines null for a gap
   */
  private record Waiting(@Nullable List<Said> lines, boolean excused, Progress after) {}

  private final World world;
  private final List<Slice> slices = new ArrayList<>();
  private final Queue<Waiting> waiting = new ArrayDeque<>();

  /** Committed entries that the log no longer contains: a gap has to follow. */
  private final TreeMap<Integer, LaneEntry> lost = new TreeMap<>();

  private Progress committed = new Progress(-1, null, 0, 0);
  private Progress read = committed;
  private List<Said> ofEntry = new ArrayList<>();
  private SimulatedLogs logs;
  private Slice slice;
  private int inFlight;
  private int cuts;
  private int readingsAtCut = -1;
  private long asked;

  SimulatedRecord(World world, SimulatedLogs logs) {
    this.world = world;
    this.logs = logs;
    this.slice = begin(false);
  }

  private Slice begin(boolean excused) {
    Slice begun = new Slice("the record", excused);
    slices.add(begun);
    slice = begun;
    return begun;
  }

  public List<Slice> slices() {
    return slices;
  }

  /** Returns the last committed entry that the log lost without a gap so far; or null. */
  public Map.@Nullable Entry<Integer, LaneEntry> lost() {
    return lost.lastEntry();
  }

  /** Returns the committed log position. */
  @Nullable LogPosition position() {
    return committed.position();
  }

  /**
   * Returns whether the log was cut and is shorter than the archive, which is detected when it is
   * as long again.
   */
  public boolean isBehind(SimulatedLog cut) {
    LogPosition position = committed.position();
    return position != null
        && world.isCut()
        && position.offset() >= cut.get(cut.size() - 1).offset();
  }

  boolean isCommitted() {
    return waiting.isEmpty();
  }

  // --- faults

  /** Kills the process; the next one reads through other channels. */
  void killed(boolean isCommitDone, SimulatedLogs next) {
    if (isCommitDone) {
      commit();
    }
    waiting.clear();
    inFlight = 0;
    ofEntry = new ArrayList<>();
    read = committed;
    logs = next;
    readingsAtCut = -1;
    lost.keySet().removeIf(position -> position > committed.last());
  }

  /** Reports that the log lost its entries from this index on. */
  void logWasCut(int position, List<Stored> tail) {
    cuts++;
    readingsAtCut = logs.readings();
    boolean isFound =
        read.unsure() < UNSURE_ENTRIES; // otherwise it searches for its position anyway
    for (int i = 0; isFound && i < tail.size() && position + i <= read.last(); i++) {
      lost.putIfAbsent(position + i, tail.get(i).entry());
    }
    slices.forEach(each -> each.cut(position));
    begin(true);
  }

  private boolean draws(int oneOf) {
    return world.isFaulty() && below(oneOf) == 0;
  }

  /** Returns a random number. The recorder's own numbers are positive. */
  private int below(int bound) {
    return world.dice().below(bound, Channel.RECORDER, - ++asked);
  }

  // --- reading

  @Override
  public boolean hasSpace() {
    boolean full = world.plan().has(Fault.NO_SPACE) && draws(20);
    return !full && waiting.size() < MOST_WAITING;
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict) {
    ofEntry.add(Said.of(line, verdict));
    return null;
  }

  @Override
  public void passed(LogPosition behind, int bytes) {
    if (draws(300)) {
      world.note(() -> "the record fails at " + behind);
      throw new Defect();
    }
    int known =
        world.log().positionOf(Objects.requireNonNull(Lane.parse(behind.lane())), behind.number());
    world.check(
        known >= 0 || read.cuts() < cuts, () -> "the record took what no log holds: " + behind);
    int position = known < 0 ? read.last() : known;
    int lines = ofEntry.size();
    world.note(() -> "the record takes " + lines + " lines at " + position);
    if (isOverwrittenBefore(position)) {
      logs.overtaken();
    }
    boolean excused = read.unsure() > 0 || read.cuts() < cuts || logs.isOvertaken();
    read = new Progress(position, behind, Math.max(0, read.unsure() - 1), read.cuts());
    waiting.add(new Waiting(ofEntry, excused, read));
    ofEntry = new ArrayList<>();
  }

  /**
   * Returns whether a ring overwrote unread entries before this one. A copy of the last entry that
   * was read may hide that, because it counts as the position.
   */
  private boolean isOverwrittenBefore(int position) {
    SimulatedLog log = world.log();
    int end = Math.min(position, log.oldest());
    return IntStream.range(read.last() + 1, end)
        .anyMatch(each -> log.positionOf(log.get(each).headers()) == each);
  }

  @Override
  public void entryDropped() {
    ofEntry = new ArrayList<>();
  }

  @Override
  public void gap(String why) {
    world.note(() -> "the record has a gap: " + why);
    boolean isCut = read.last() < world.log().oldest();
    world.check(
        isCut
            || logs.isOvertaken()
            || read.unsure() > 0
            || read.cuts() < cuts
            || world.log().hasHoles(),
        () -> "the record misses nothing: " + why);
    logs.clearOvertaken();
    boolean knowsOfCut = logs.readings() > readingsAtCut; // otherwise lost entries may still arrive
    read =
        new Progress(read.last(), read.position(), UNSURE_ENTRIES, knowsOfCut ? cuts : read.cuts());
    waiting.add(new Waiting(null, true, read));
  }

  // --- commits

  /** Commits the waiting entries after a delay, one commit at a time. */
  void commitSoon() {
    if (inFlight == 0 && !waiting.isEmpty()) {
      inFlight = waiting.size();
      SimulatedLogs boot = logs;
      world
          .clock()
          .after(
              1 + below(100),
              () -> {
                if (logs.equals(boot)) {
                  commit();
                }
              });
    }
  }

  private void commit() {
    for (; inFlight > 0; inFlight--) {
      commit(waiting.remove());
    }
  }

  private void commit(Waiting entry) {
    committed = entry.after();
    List<Said> lines = entry.lines();
    if (lines == null) {
      world.met().count(What.RECORD_GAP);
      lost.clear();
    }
    boolean excused = entry.excused() || committed.cuts() < cuts;
    if (slice.isExcused() != excused) {
      begin(excused);
    }
    if (lines != null && !lines.isEmpty()) {
      slice.add(new Slice.Report(committed.last(), lines));
    }
  }

  // --- meters

  /** Notes that the log does not go back far enough to decide as the servers did. */
  @Override
  public void incomplete() {
    world.check(world.log().isRing() || world.isCut(), () -> "the log of the record is whole");
    read = new Progress(read.last(), read.position(), UNSURE_ENTRIES, read.cuts());
  }

  @Override
  public void attached(long tookNanos, long entries) {}
}
