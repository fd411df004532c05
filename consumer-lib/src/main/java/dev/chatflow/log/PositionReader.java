package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.log.LogReceiver.Source;
import dev.chatflow.log.ReaderMeter.Passed;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import dev.chatflow.room.Shard;
import dev.chatflow.support.StepThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log of one shard from a {@link LogPosition} on. The process publishes nothing. The
 * {@link Window} judges each entry as on the servers, and the {@link EntryStore} gets it once.
 *
 * <p>Passive: {@link #step} does the work that is due and waits only for the broker's answers to
 * its requests. One thread steps; any thread may read {@link #state} and {@link #trouble}.
 *
 * <p>It begins some windows before its position, so that everything that decides on later entries
 * is remembered. If the position no longer exists, it reports a gap and takes entries that were
 * built later. Without a position it takes everything the log can decide on.
 */
public final class PositionReader implements StepThread.Passive {

  /** The state of the reader; the names appear in {@code /health}. */
  public enum State {
    /** Waiting for the broker, or for the first entry of an empty log. */
    SEEKING_END,
    /** Reading the entries that decide on later ones, up to its position. */
    FINDING_PLACE,
    /** Taking new entries. */
    FOLLOWING
  }

  private static final Logger log = LoggerFactory.getLogger(PositionReader.class);

  /**
   * Time of silence after which everything that a ring held at the start of the reading has
   * arrived.
   */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Maximum pause between entries while a reading is behind. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time of silence after which a reading may be dead: another one searches for the position. */
  private static final long DEAF_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Interval of checks for the end of a silent log. */
  private static final long LOOK_AT_END_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long UNKNOWN = -1;

  private static final String EMPTY = "the log is empty: it was deleted or its broker was reset";
  private static final String TRUNCATED = "the log no longer contains the last position read";
  private static final String ANOTHER_LOG = "the log is not the one that was read before";

  /**
   * The objects a reader works with.
   *
   * @param position after what was taken before; null at the first start
   * @param sinceMillis without a position: entries built before this time are not taken
   * @param wake wakes the thread that steps
   */
  public record Parts(
      Shard shard,
      Logs logs,
      EntryStore keeper,
      ReaderMeter meter,
      ReaderConfig config,
      @Nullable LogPosition position,
      long sinceMillis,
      Runnable wake) {}

  private final Shard shard;
  private final Logs logs;
  private final EntryStore keeper;
  private final ReaderMeter meter;
  private final ReaderConfig config;
  private final LogReader reader;
  private final Footprint footprint = new Footprint();

  private volatile State state = State.SEEKING_END;
  private volatile boolean hasPosition;
  private final LongAdder arrived = new LongAdder();

  // Used only by the stepping thread.
  private Search search;
  private @Nullable LogPosition position;
  private long sinceMillis;
  private long builtHigh;
  private boolean returning; // to where it was, with its memory, on another channel
  private EntryVerdict currentVerdict = EntryVerdict.ON_TIME;
  private Source currentSource = Source.PAST;
  private long lookedNanos;
  private long heldAtLook = UNKNOWN;
  private boolean idle;
  private long idleSinceNanos;
  private long idleNanos; // the last check that found nothing
  private long pausesNanos; // of this reading

  public PositionReader(Parts parts) {
    this.shard = parts.shard();
    this.logs = parts.logs();
    this.keeper = parts.keeper();
    this.meter = parts.meter();
    this.config = parts.config();
    this.position = parts.position();
    this.hasPosition = position != null;
    this.sinceMillis = parts.sinceMillis();
    this.builtHigh = parts.position() == null ? 0 : parts.position().built();
    this.search = new Search(config, position);
    this.reader = new LogReader(shard, logs, meter, config, parts.wake(), new Reading());
  }

  public Shard shard() {
    return shard;
  }

  public State state() {
    return state;
  }

  /** Returns whether its log is being read: entries published from now on will be taken. */
  public boolean isOpen() {
    return reader.isOpen();
  }

  /** Returns why the log is not read, for operators; empty without a problem. */
  public String trouble() {
    return reader.trouble();
  }

  /** Returns whether there are entries that have not arrived. Any thread may call. */
  public boolean waits() {
    return !reader.isOpen()
        || state == State.FINDING_PLACE
        || (hasPosition && state != State.FOLLOWING);
  }

  /** Returns the number of entries that arrived since the start. Any thread may call. */
  public long arrived() {
    return arrived.sum();
  }

  @Override
  public void restart(String why, long nowNanos) {
    reader.drop();
    keeper.entryDropped();
    reader.fail(why, nowNanos);
    forget(); // the memory may hold half an entry
    state = State.SEEKING_END;
  }

  @Override
  public long step(long nowNanos) {
    return reader.step(nowNanos);
  }

  // --- finding the position

  private void search(Arrival arrival, long now) throws BrokerException {
    if (search.read(arrival)) {
      reader.forget(config.window(logs.haveOffsets()), true);
    }
    switch (search.met(arrival)) {
      case BEFORE -> {
        judge(arrival, Source.PAST, now);
        if (search.isAtPosition() && isRemembered()) {
          follow();
        } else if (search.isAtPosition() && search.mayBegin()) {
          reachFurther();
        }
      }
      case BEHIND -> {
        if (knowsEnough()) {
          follow();
          follow(arrival, now);
        } else {
          judge(arrival, Source.PAST, now);
          if (search.isPastEnd(arrival)) {
            reachFurther();
          }
        }
      }
      case TRUNCATED -> lose(TRUNCATED, 0);
      case OVERWRITTEN -> lose(TRUNCATED, builtHigh + 1);
      case ANOTHER_LOG -> lose(ANOTHER_LOG, builtHigh + 1);
    }
  }

  /** Returns whether everything that decides on entries after those read so far is remembered. */
  private boolean isRemembered() {
    return reader.window().isComplete();
  }

  private boolean knowsEnough() {
    return isRemembered() && search.mayBegin();
  }

  /** Skips entries until the last ones are those that it remembers. */
  private void comeBack(Arrival arrival, long now) throws BrokerException {
    boolean _ = search.read(arrival);
    Footprint.Found found = footprint.compare(arrival);
    if (found == Footprint.Found.THERE) {
      reader.skip(arrival, now);
      returning = false;
      follow();
    } else if (found == Footprint.Found.LOST || search.isPastEnd(arrival)) {
      discardMemory();
    } else {
      reader.skip(arrival, now);
    }
  }

  /** Searches for the position without memory, because the entries that it remembers are gone. */
  private void discardMemory() {
    reader.close();
    forget();
    state = State.SEEKING_END;
  }

  /** Starts further back, or continues with what the log has. */
  private void reachFurther() {
    if (search.reachFurther()) {
      reader.close();
      state = State.SEEKING_END;
      return;
    }
    reader.window().assumeComplete(); // the log does not extend further back
    meter.incomplete();
    follow();
  }

  private void follow() {
    state = State.FOLLOWING;
    reader.window().follow();
    log.info(
        "shard {}: recording continues, {} entries read back", shard.index(), search.entries());
  }

  /**
   * Reports that the position no longer exists.
   *
   * @param builtSince entries built before this time were taken already
   */
  private void lose(String why, long builtSince) {
    keeper.gap(why);
    log.warn("shard {}: {}", shard.index(), why);
    reader.close();
    sinceMillis = Math.max(sinceMillis, builtSince);
    position = null;
    hasPosition = false;
    forget();
    state = State.SEEKING_END;
  }

  private void forget() {
    search = new Search(config, position);
    returning = false;
  }

  // --- entries

  private void follow(Arrival arrival, long now) throws BrokerException {
    long distance = reader.distance(arrival);
    if (distance < 1) {
      lose(ANOTHER_LOG, builtHigh + 1);
      return;
    }
    if (distance > 2) {
      gap(reader.jump(arrival));
    }
    boolean wanted =
        position != null || arrival.isForeign() || arrival.builtMillis() >= sinceMillis;
    judge(arrival, wanted ? Source.OTHER : Source.PAST, now);
  }

  private void gap(String why) {
    log.warn("shard {}: entries may be missing: {}", shard.index(), why);
    keeper.gap(why);
  }

  private void judge(Arrival arrival, Source source, long now) throws BrokerException {
    Entry entry = arrival.entry();
    EntryVerdict verdict = reader.judge(arrival);
    footprint.step(arrival);
    if (verdict == EntryVerdict.LOSS && entry != null) {
      gap("entry " + entry.number() + " of " + entry.lane() + " follows a hole");
      verdict = reader.window().judgeBehindHole(entry);
    }
    currentVerdict = verdict;
    currentSource = source;
    if (verdict == EntryVerdict.ON_TIME) {
      reader.take(arrival, source, now);
      return;
    }
    if (source != Source.PAST) {
      count(verdict);
    }
    reader.done(arrival, now);
  }

  private void count(EntryVerdict verdict) {
    switch (verdict) {
      case COPY -> meter.passed(Passed.COPY);
      case LATE -> meter.passed(Passed.LATE);
      case ON_TIME, UNDECIDED, LOSS -> {}
    }
  }

  /** Returns whether the entry is only read back, so that it does not move the position. */
  private boolean isPast() {
    return currentSource == Source.PAST;
  }

  /** Returns whether the position moves: the original of a copy has moved it already. */
  private boolean movesPosition() {
    return currentVerdict != EntryVerdict.COPY;
  }

  // --- while no entry arrives, and the end of a reading

  /** Handles silence: the log may be empty, or this reading may be dead. */
  private void lookAtEnd(long silentNanos) throws BrokerException {
    if (state == State.SEEKING_END && position != null && silentNanos >= SILENCE_NANOS) {
      if (logs.entries(shard) == 0) {
        lose(EMPTY, builtHigh + 1);
      }
    } else if (state == State.FOLLOWING && silentNanos >= SILENCE_NANOS) {
      long before = heldAtLook;
      heldAtLook = logs.entries(shard);
      if (silentNanos >= DEAF_NANOS || (before != UNKNOWN && heldAtLook > before)) {
        goBack();
      }
    }
  }

  /** Returns to the same position with another channel; the memory up to it is kept. */
  private void goBack() {
    reader.close();
    if (state == State.FOLLOWING) {
      search = new Search(config, position);
      returning = !footprint.isEmpty();
    }
    state = State.SEEKING_END;
  }

  private void noteIdle(long now) {
    if (!idle) {
      idle = true;
      idleSinceNanos = now;
    }
    idleNanos = now;
  }

  private void noteArrival() {
    if (idle && idleNanos - idleSinceNanos >= PAUSE_NANOS) {
      pausesNanos += idleNanos - idleSinceNanos;
    }
    idle = false;
  }

  /**
   * Returns whether everything that was there when the reading began has arrived. A ring
   * overwritten during the reading delivers fewer entries than it held, and beacons may keep it
   * from being silent.
   */
  private boolean isAtEnd(long silentNanos) {
    return silentNanos >= SILENCE_NANOS || (!logs.haveOffsets() && pausesNanos >= SILENCE_NANOS);
  }

  /** The policy of this reader for the shared log reader. */
  private final class Reading implements LogReader.Policy {

    @Override
    public Logs.Start start() throws BrokerException {
      boolean offsets = logs.haveOffsets();
      if (state == State.SEEKING_END && offsets) {
        return new Logs.Start.Last();
      }
      state = State.FINDING_PLACE; // a ring is read from its beginning
      Logs.Start start = search.begin(offsets, offsets ? 0 : logs.entries(shard));
      return offsets && returning
          ? new Logs.Start.At(Math.min(search.end(), footprint.firstOffset()), search.end())
          : start;
    }

    @Override
    public void opened() {
      idle = false;
      pausesNanos = 0;
      if (state != State.FINDING_PLACE) {
        return;
      }
      if (returning) {
        footprint.look();
        return;
      }
      reader.forget(config.window(logs.haveOffsets()), false);
      footprint.clear();
      if (search.hasNothingToFind()) {
        reader.window().assumeComplete();
        follow();
      }
    }

    @Override
    public void arrived(Arrival arrival, long now) throws BrokerException {
      lookedNanos = now;
      heldAtLook = UNKNOWN;
      noteArrival();
      arrived.increment();
      switch (state) {
        case SEEKING_END -> {
          search.endsAt(arrival.offset());
          reader.close();
          state = State.FINDING_PLACE;
        }
        case FINDING_PLACE -> {
          if (returning) {
            comeBack(arrival, now);
          } else {
            search(arrival, now);
          }
        }
        case FOLLOWING -> follow(arrival, now);
      }
    }

    @Override
    public boolean hasSpace(Line.Message line) {
      return currentSource == Source.PAST || keeper.hasSpace();
    }

    @Override
    public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
      return source == Source.PAST ? null : keeper.take(line, verdict);
    }

    @Override
    public void taken(Arrival arrival, int lines, Source source) {}

    @Override
    public void done(Arrival arrival, long now) {
      if (isPast()) {
        return;
      }
      if (movesPosition()) {
        LogPosition behind = LogPosition.behind(position, arrival);
        keeper.passed(behind, arrival.body().length); // may fail; then the entry is read again
        position = behind;
        hasPosition = true;
        builtHigh = Math.max(builtHigh, arrival.builtMillis());
      }
    }

    @Override
    public long idle(long now) throws BrokerException {
      long silent = reader.silentNanos(now);
      noteIdle(now);
      if (state == State.FINDING_PLACE && isAtEnd(silent)) {
        if (returning) {
          discardMemory();
        } else if (search.isPositionGoneAtEnd()) {
          lose(TRUNCATED, 0);
        } else if (knowsEnough()) {
          follow();
        } else {
          reachFurther();
        }
      } else if (state != State.FINDING_PLACE && now - lookedNanos >= LOOK_AT_END_NANOS) {
        lookedNanos = now;
        lookAtEnd(silent);
      }
      return LogReader.LOOK_NANOS;
    }

    @Override
    public void failed(long now) {
      goBack();
    }
  }
}
