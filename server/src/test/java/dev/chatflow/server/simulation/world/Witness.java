package dev.chatflow.server.simulation.world;

import dev.chatflow.log.Arrival;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.LogReceiver;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import dev.chatflow.message.MessageType;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Fault;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.plan.Spoiled;
import dev.chatflow.server.simulation.world.SimulatedLog.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records the output of one server's reader, and checks at once everything it can. */
public final class Witness implements LogReceiver, QuietMeter {

  /** Number of entries before its position that a reader may need to find it. */
  private static final int TRAIL = 40;

  private final World world;
  private final SimulatedServer server;
  private final Guests guests;
  private final List<Slice> slices = new ArrayList<>();

  /** Entries that were read but are no longer in the log: the reader must detect it. */
  private final Map<Integer, LaneEntry> lost = new HashMap<>();

  private Slice slice;
  private List<Said> current = new ArrayList<>();
  private int lastPosition = -1;
  private int ownPosition;
  private long highestStamp;
  private long spaceAsked;
  private int handedOn;
  private int losses;
  private int late;
  private @Nullable Said held;

  /** The log lost its end, which may have been read; the reader has not detected it yet. */
  private boolean mayLose;

  /** The log held too little when it was attached. */
  private boolean incomplete;

  Witness(World world, SimulatedServer server, Guests guests) {
    this.world = world;
    this.server = server;
    this.guests = guests;
    this.slice = anew();
  }

  private Slice anew() {
    Slice begun = new Slice(server.toString(), mayLose || incomplete);
    slices.add(begun);
    slice = begun;
    return begun;
  }

  public List<Slice> slices() {
    return slices;
  }

  /** Returns the slice to continue to the end of the log. */
  public Slice slice() {
    return slice;
  }

  /** Returns the greatest stamp of a JOIN that was read. */
  public long highestStamp() {
    return highestStamp;
  }

  public boolean isExcused() {
    return mayLose || incomplete || server.logs().isOvertaken();
  }

  public Map<Integer, LaneEntry> lost() {
    return lost;
  }

  /** Reports that the log lost its entries from this position on. */
  void logWasCut(int position, List<Stored> tail, boolean hasMembers) {
    for (int i = 0; i < tail.size() && hasMembers; i++) {
      if (position + i <= lastPosition) {
        lost.putIfAbsent(position + i, tail.get(i).entry());
      }
    }
    mayLose = true;
    slices.forEach(each -> each.cut(position));
    anew();
  }

  /** Returns how often it lost entries. */
  public int losses() {
    return losses;
  }

  /** Returns how often one of its entries was late. */
  public int late() {
    return late;
  }

  // --- output of the reader

  @Override
  public boolean hasSpace(Line.Message line) {
    boolean full =
        world.isFaulty()
            && world.plan().has(Fault.NO_SPACE)
            && world.dice().below(50, Channel.SPACE, server.boot() * 100_000L + spaceAsked++) == 0;
    return !full;
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
    if (line.type() == MessageType.JOIN) {
      highestStamp = Math.max(highestStamp, line.stamp());
    }
    world.note(() -> server + " hands on " + Said.of(line, verdict).named() + " " + source);
    count(verdict);
    handOn(Said.of(line, verdict), handedOn++);
    return guests.take(line, verdict, source);
  }

  private void count(LineVerdict verdict) {
    switch (verdict) {
      case REPEAT -> world.met().count(What.REPEAT);
      case VOID -> world.met().count(What.VOID);
      case REFUSED -> world.met().count(What.MUTED);
      case SHOWN -> {}
    }
  }

  private void handOn(Said said, int number) {
    switch (number == Spoiled.FRAME ? world.spoiled() : Spoiled.NOTHING) {
      case NOTHING -> current.add(said);
      case DROPPED -> {}
      case REPEATED -> {
        current.add(said);
        current.add(said);
      }
      case SWAPPED -> held = said;
    }
    Said before = held;
    if (before != null && number > Spoiled.FRAME) {
      current.add(before);
      held = null;
    }
  }

  @Override
  public void taken(Arrival arrival, int lines, Source source) {
    Entry entry = Objects.requireNonNull(arrival.entry());
    int known = world.log().positionOf(entry);
    world.check(known >= 0 || mayLose, () -> server + " read what no log holds: " + entry);
    int position = known < 0 ? lastPosition : known;
    if (isExcused()) {
      slice.excuse();
    }
    if (!current.isEmpty()) { // an old copy may resemble a beacon
      slice.add(new Slice.Report(position, current));
      current = new ArrayList<>();
    }
    if (entry.lane().equals(server.lane().name())) {
      ownPosition = position;
    }
    if (position > lastPosition) { // otherwise an old copy, whose position is unknown
      judgePeople(position);
    }
    lastPosition = position;
    guests.taken(arrival, lines, source);
  }

  /**
   * Checks that complete presence is equal to that of every other server at this position. For a
   * server so slow that a ring contains none of its entries, this cannot be known.
   */
  private void judgePeople(int position) {
    boolean isHeardOf = ownPosition >= world.log().oldest();
    if (guests.presence().isComplete() && isHeardOf && !world.hasHoles()) {
      world.met().count(What.PRESENCE);
      Digest known = guests.presence().sum();
      Digest others = world.presence().computeIfAbsent(position, _ -> known);
      world.check(
          known.equals(others),
          () -> server + " knows people " + known + " at " + position + ", others " + others);
    }
  }

  // --- events

  @Override
  public void pastRestarts() {
    world.note(() -> server + " reads the past again");
    anew();
    guests.pastRestarts();
  }

  @Override
  public void ownLate() {
    world.note(() -> server + " was late");
    world.met().count(What.OWN_LATE);
    late++;
    guests.ownLate();
  }

  @Override
  public void attached() {
    guests.attached();
  }

  @Override
  public void lost(String why) {
    world.note(() -> server + " lost: " + why);
    SimulatedLog log = world.log();
    boolean isCut = log.oldest() > 0 && lastPosition < log.oldest() + TRAIL;
    boolean mayBe = server.logs().isOvertaken() || isCut || mayLose || log.hasHoles();
    world.check(mayBe && !why.contains("failed"), () -> server + " lost nothing: " + why);
    server.logs().clearOvertaken();
    lost.clear();
    mayLose = false;
    incomplete = false;
    anew();
    world.met().count(What.LOSS);
    losses++;
    guests.lost(why);
  }

  @Override
  public void detached() {
    world.note(() -> server + " rests");
    lost.clear(); // there is no user to notify
    world.met().count(What.REST);
    anew();
    guests.detached();
  }

  @Override
  public boolean isNeeded() {
    return guests.isNeeded();
  }

  // --- meters

  /** Excuses the server: the guarantee of one order needs a log that holds four windows. */
  @Override
  public void incomplete() {
    world.check(world.log().isRing() || world.isCut(), () -> "the log of " + server + " is whole");
    world.met().count(What.INCOMPLETE);
    incomplete = true;
    slice.excuse();
  }

  @Override
  public void attached(long tookNanos, long entries) {
    world.note(() -> server + " is attached, " + entries + " entries read back");
  }
}
