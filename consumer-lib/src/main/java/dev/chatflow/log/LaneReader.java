package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.log.LogReceiver.Source;
import dev.chatflow.log.ReaderMeter.Passed;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.Line;
import dev.chatflow.room.Shard;
import dev.chatflow.support.StepThread;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log of one shard for a server, which writes to it with a lane. It attaches to the end
 * of the log, shows each entry to the {@link Window} and each valid line to the {@link
 * LogReceiver}, finds its position again after a lost channel, and reports when it cannot.
 *
 * <p>Passive: {@link #step} does the work that is due and waits only for the broker's answers to
 * its requests. One thread steps; any thread may {@link #use} the shard and read {@link #state}.
 *
 * <p><em>Attaching</em> means to read back until everything that decides on later entries is
 * remembered, up to an entry of this server that was confirmed after attaching began. Then the
 * reader has reached the end of the log, and the lane may accept lines.
 */
public final class LaneReader implements StepThread.Passive {

  /** The state of the reader; the names appear in {@code /health}. */
  public enum State {
    /** No connection of this server uses the shard. */
    RESTING,
    /** Waiting for the confirm of one of this server's entries. */
    ASKING_LANE,
    /** Finding the end of the log in order to attach. */
    SEEKING_END,
    /** Reading the entries that decide on later ones. */
    READING_BACK,
    /** Attached: reading new entries. */
    FOLLOWING,
    /** Lost the channel; finding the end of the log. */
    SEEKING_PLACE,
    /** Reading from before the last position until it is found. */
    RETURNING
  }

  private static final Logger log = LoggerFactory.getLogger(LaneReader.class);

  private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(1);

  /** Maximum time until a confirmed entry of this server arrives; then the reading is abandoned. */
  private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Maximum time until a log that is not empty delivers an entry; then the reading is abandoned.
   */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The number of ranks, by which servers repeat mutes at different times. */
  private static final int RANKS = 64;

  /** Minimum number of beacons per window, so that a lane never drops out of it. */
  private static final int BEACONS_A_WINDOW = 8;

  /**
   * The objects a reader works with.
   *
   * @param lane this process's lane
   * @param presence tracks the members of the shard's rooms on all servers
   * @param wake wakes the thread that steps
   */
  public record Parts(
      Shard shard,
      Logs logs,
      OwnLane lane,
      LogReceiver taker,
      PresenceListener presence,
      ClusterTime time,
      ReaderMeter meter,
      ReaderConfig config,
      Runnable wake) {}

  private final Shard shard;
  private final Logs logs;
  private final OwnLane lane;
  private final LogReceiver taker;
  private final PresenceListener presence;
  private final ClusterTime time;
  private final ReaderMeter meter;
  private final ReaderConfig config;
  private final Runnable wake;
  private final LogReader reader;
  private final double rank;
  private final Footprint footprint = new Footprint();
  private final ActiveLanes active = new ActiveLanes();

  private volatile State state = State.RESTING;
  private volatile boolean used;

  // Used only by the stepping thread.
  private boolean inUse;
  private long usedNanos;
  private long ownRead;
  private int entriesSinceOwn;
  private boolean news;

  // While attaching or returning.
  private long mark;
  private long markedNanos;
  private ReadBack readBack;
  private long attachNanos;
  private long end;

  public LaneReader(Parts parts) {
    this.shard = parts.shard();
    this.logs = parts.logs();
    this.lane = parts.lane();
    this.taker = parts.taker();
    this.presence = parts.presence();
    this.time = parts.time();
    this.meter = parts.meter();
    this.config = parts.config();
    this.wake = parts.wake();
    this.rank = Math.floorMod(lane.name().toString().hashCode(), RANKS) / (double) RANKS;
    this.readBack = new ReadBack(config);
    this.reader = new LogReader(shard, logs, meter, config, wake, new Reading());
  }

  public Shard shard() {
    return shard;
  }

  public State state() {
    return state;
  }

  /** Returns why the log is not read, for operators; empty without a problem. */
  public String trouble() {
    return reader.trouble();
  }

  /**
   * Marks the shard as used by a connection: it is attached if necessary, and stays attached for a
   * while.
   */
  public void use() {
    used = true;
    if (state == State.RESTING) {
      wake.run();
    }
  }

  @Override
  public long step(long nowNanos) {
    return reader.step(nowNanos);
  }

  @Override
  public void restart(String why, long nowNanos) {
    lose(why, nowNanos);
  }

  /** Returns whether the shard is in use but its messages are not shown. Any thread may call. */
  public boolean isDetached() {
    State now = state;
    return now == State.RESTING ? used : now != State.FOLLOWING;
  }

  // --- use and rest

  private void noteUse(long now) {
    if (used) {
      used = false;
      inUse = true;
      usedNanos = now;
    }
  }

  private boolean mayRest(long now) {
    if (state != State.FOLLOWING || now - usedNanos < config.linger().toNanos()) {
      return false;
    }
    boolean needed = taker.isNeeded() || !lane.isIdle();
    if (needed) {
      usedNanos = now; // check again after another while
    }
    return !needed;
  }

  /** Stops reading: no connection uses the shard. */
  private void rest() {
    reader.close();
    forget();
    lane.detached();
    taker.detached();
    state = State.RESTING;
    inUse = false;
  }

  private void forget() {
    presence.forget();
    footprint.clear();
    reader.drop();
    reader.forget(config.stream(), false);
  }

  // --- attaching

  private void attach(long now) {
    state = State.ASKING_LANE;
    readBack = new ReadBack(config);
    attachNanos = now;
    mark = 0;
    lane.detached();
  }

  /** Requests an entry from the lane, once the log exists, and returns whether it was confirmed. */
  private boolean isMarkConfirmed() throws BrokerException {
    if (mark == 0) {
      logs.ensure(shard);
      presence.begins();
      mark = lane.beacon();
    }
    if (lane.confirmed() < mark) {
      return false;
    }
    state = logs.haveOffsets() ? State.SEEKING_END : State.READING_BACK;
    return true;
  }

  /** Handles the entry that marks the end of the reading back. */
  private void reached(long now) {
    if (!reader.window().isComplete() && readBack.reachFurther()) {
      reader.close();
      return;
    }
    if (!reader.window().isComplete()) {
      log.warn(
          "shard {}: the log was cut: it holds less than a reader has to remember", shard.index());
      reader.window().assumeComplete();
      meter.incomplete();
    }
    state = State.FOLLOWING;
    reader.window().follow();
    meter.attached(now - attachNanos, readBack.all());
    log.info("shard {} attached, {} entries read back", shard.index(), readBack.all());
    presence.attached(); // presence publishes before any line is accepted
    lane.attached();
    taker.attached();
  }

  // --- returning after a lost channel

  private void comeBack(Arrival arrival, long now) throws BrokerException {
    Entry entry = arrival.entry();
    switch (footprint.compare(arrival)) {
      case NOT_YET -> {
        boolean passed = entry != null && isOwn(entry) && entry.number() >= mark;
        if (passed) {
          lose("its position in the log is gone", now);
        } else {
          reader.skip(arrival, now);
        }
      }
      case THERE -> {
        reader.skip(arrival, now);
        state = State.FOLLOWING;
        log.info("shard {}: reading continues", shard.index());
      }
      case LOST -> lose("the log is not the one that was read before", now);
    }
  }

  // --- entries

  private void read(Arrival arrival, long now) throws BrokerException {
    long distance = reader.distance(arrival);
    if (distance < 1 || distance > 2) {
      if (state == State.FOLLOWING) {
        lose(reader.jump(arrival), now);
      } else {
        attach(now); // the broker's retention deleted entries that were being read back
        reader.close();
      }
      return;
    }
    if (state == State.READING_BACK && readBack.read(arrival)) {
      reader.forget(config.window(logs.haveOffsets()), true);
    }
    Entry entry = arrival.entry();
    if (entry != null) {
      time.read(arrival.builtMillis());
      active.observe(entry.lane(), now);
    }
    EntryVerdict verdict = reader.judge(arrival);
    if (verdict == EntryVerdict.LOSS) {
      lose("entry " + entry + " follows a hole", now);
      return;
    }
    footprint.step(arrival);
    judged(arrival, verdict, now);
  }

  private void judged(Arrival arrival, EntryVerdict verdict, long now) throws BrokerException {
    Entry entry = arrival.entry();
    news = verdict == EntryVerdict.ON_TIME || verdict == EntryVerdict.LATE;
    boolean own = entry != null && isOwn(entry);
    boolean knownOwn = own && entry != null && entry.number() <= ownRead;
    if (verdict == EntryVerdict.ON_TIME) {
      if (arrival.content() == Arrival.Content.UNKNOWN) {
        meter.passed(Passed.UNKNOWN);
      }
      reader.take(arrival, isPast() ? Source.PAST : own ? Source.OWN : Source.OTHER, now);
      return;
    }
    if (verdict == EntryVerdict.UNDECIDED && entry != null) {
      presence.undecided(entry);
      taker.pastRestarts();
    }
    if (verdict == EntryVerdict.COPY || knownOwn) {
      meter.passed(Passed.COPY);
    } else if (verdict == EntryVerdict.LATE) {
      meter.passed(Passed.LATE);
      if (own && entry != null && entry.hasLines() && state == State.FOLLOWING) {
        late(entry);
      }
    }
    reader.done(arrival, now);
  }

  /** Returns whether entries are from the past: read before the reader is attached. */
  private boolean isPast() {
    return state != State.FOLLOWING;
  }

  private void late(Entry entry) {
    lane.late(entry.number());
    taker.ownLate();
  }

  private boolean isOwn(Entry entry) {
    return entry.lane().equals(lane.name());
  }

  private void observe(Entry entry, Arrival arrival, long now) {
    boolean sure = state == State.FOLLOWING || reader.window().isComplete();
    byte[] page = arrival.content() == Arrival.Content.PRESENCE ? arrival.body() : null;
    presence.read(entry, arrival.presenceHeaders(), page, sure, now);
  }

  /** Repeats mutes, so that every window contains them. */
  private void repeatMutes(Arrival arrival, long now) {
    for (ChatMessage mute : reader.window().mutesDue(arrival.builtMillis(), rank)) {
      lane.publish(mute, now);
    }
  }

  private void beaconInTime() {
    if (state == State.FOLLOWING
        && entriesSinceOwn >= config.stream().entries() / BEACONS_A_WINDOW) {
      entriesSinceOwn = 0;
      long _ = lane.beacon();
    }
  }

  // --- while no entry arrives

  /** Replaces the mark: the log may have lost the entry up to which is read back. */
  private void markAgain(long now) {
    boolean waits = now - markedNanos >= RETURN_NANOS && now - reader.openedNanos() >= RETURN_NANOS;
    if (state == State.READING_BACK && waits) {
      markedNanos = now;
      long _ = lane.beacon(); // any later beacon serves as well
    }
  }

  /** Returns why the reading cannot be trusted, or null. */
  private @Nullable String wrong(long now) {
    if (state != State.FOLLOWING) {
      return reader.silentNanos(now) >= SILENCE_NANOS ? "nothing comes" : null;
    }
    if (lane.takeUnwanted()) {
      return "no log receives this server's entries";
    }
    long unread = reader.silentNanos(now) < RETURN_NANOS ? 0 : lane.unreadNanos(now);
    return unread >= RETURN_NANOS
        ? "one of this server's entries was confirmed but does not arrive"
        : null;
  }

  // --- the end of a reading

  /** Discards the state of the shard and attaches again, because entries may be missing. */
  private void lose(String why, long now) {
    log.warn("shard {}: entries may be missing: {}", shard.index(), why);
    reader.close();
    forget();
    lane.lost();
    taker.lost(why);
    attach(now);
  }

  /** The policy of this reader for the shared log reader. */
  private final class Reading implements LogReader.Policy {

    @Override
    public long restNanos(long now) {
      noteUse(now);
      if (state == State.RESTING && inUse) {
        attach(now);
      }
      return state == State.RESTING ? FOREVER_NANOS : 0;
    }

    @Override
    public boolean mayOpen(long now) throws BrokerException {
      return state != State.ASKING_LANE || isMarkConfirmed();
    }

    @Override
    public Logs.Start start() {
      if (!logs.haveOffsets()) {
        state = state == State.SEEKING_PLACE ? State.RETURNING : state;
        return readBack.oldest(false); // a ring is read from its beginning
      }
      return switch (state) {
        case READING_BACK -> readBack.from(end - readBack.length(), end);
        case RETURNING -> new Logs.Start.At(Math.min(end, footprint.firstOffset()), end);
        case RESTING, ASKING_LANE, SEEKING_END, FOLLOWING, SEEKING_PLACE -> new Logs.Start.Last();
      };
    }

    @Override
    public void opened() throws BrokerException {
      switch (state) {
        case READING_BACK -> {
          footprint.clear(); // entries that are read again would be in it twice
          if (!logs.haveOffsets()) {
            mark = lane.beacon(); // everything now in the ring precedes it
          }
          reader.forget(config.window(logs.haveOffsets()), false);
          presence.forget();
          taker.pastRestarts();
        }
        case RETURNING -> {
          footprint.look();
          mark = lane.beacon(); // the position, if it still exists, precedes it
        }
        case RESTING, ASKING_LANE, SEEKING_END, FOLLOWING, SEEKING_PLACE -> {}
      }
    }

    @Override
    public void arrived(Arrival arrival, long now) throws BrokerException {
      switch (state) {
        case SEEKING_END -> {
          end = arrival.offset();
          reader.close();
          state = State.READING_BACK;
        }
        case SEEKING_PLACE -> {
          end = arrival.offset();
          reader.close();
          state = State.RETURNING;
        }
        case RETURNING -> comeBack(arrival, now);
        case READING_BACK, FOLLOWING -> read(arrival, now);
        case RESTING, ASKING_LANE -> throw new IllegalStateException("nothing is read " + state);
      }
    }

    @Override
    public boolean hasSpace(Line.Message line) {
      return taker.hasSpace(line);
    }

    /** Shows the line to presence before the taker. */
    @Override
    public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
      Lane by = reader.currentLane();
      if (verdict == LineVerdict.SHOWN && by != null) {
        presence.shown(by, line);
      }
      return taker.take(line, verdict, source);
    }

    @Override
    public void taken(Arrival arrival, int lines, Source source) {
      taker.taken(arrival, lines, source);
    }

    @Override
    public void done(Arrival arrival, long now) throws BrokerException {
      Entry entry = arrival.entry();
      if (entry != null && news) {
        observe(entry, arrival, now);
      }
      if (state == State.FOLLOWING) {
        repeatMutes(arrival, now);
      }
      if (entry == null || !isOwn(entry)) {
        entriesSinceOwn++;
        beaconInTime();
        return;
      }
      entriesSinceOwn = 0;
      if (state == State.READING_BACK && entry.number() >= mark) {
        reached(now);
      }
      if (state == State.FOLLOWING && entry.number() > ownRead) {
        ownRead = entry.number();
        lane.activeLanes(active.count(now));
        lane.read(entry.number(), arrival.arrivedNanos());
      }
    }

    @Override
    public long idle(long now) {
      presence.step(now);
      if (mayRest(now) && presence.hasSaidFarewell()) {
        rest();
        return FOREVER_NANOS;
      }
      String wrong = wrong(now);
      if (wrong != null) {
        logs.doubted(shard, wrong);
        reader.fail(wrong, now);
        return 0;
      }
      markAgain(now);
      return LogReader.LOOK_NANOS;
    }

    /** Continues with another channel: returns to its position, or attaches. */
    @Override
    public void failed(long now) {
      switch (state) {
        case FOLLOWING, SEEKING_PLACE, RETURNING -> state = State.SEEKING_PLACE;
        case SEEKING_END, READING_BACK -> attach(now);
        case RESTING, ASKING_LANE -> {}
      }
    }
  }
}
