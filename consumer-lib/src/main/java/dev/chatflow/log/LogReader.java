package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.log.Taker.Source;
import dev.chatflow.room.Shard;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of one shard, by one channel after another. A {@link Policy} decides where each
 * channel begins and what becomes of each entry.
 *
 * <p>One thread steps; any thread may ask whether the log is open and for the trouble.
 */
final class LogReader {

  /** How often it looks whether something helps that nobody tells it of. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A line that waits for space is tried again after this. */
  private static final long SPACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Decides for one kind of reader. The reader calls while it steps. */
  interface Policy extends CurrentEntry.LineTaker {

    /** Returns for how many ns the log need not be read; 0 to read it now. */
    default long restNanos(long nowNanos) {
      return 0;
    }

    /** Whether a channel may be opened; called while there is a connection. */
    default boolean mayOpen(long nowNanos) throws BrokerException {
      return true;
    }

    /** Returns where the next channel begins. */
    Logs.Start start() throws BrokerException;

    /** The channel is open, and nothing has come by it yet. */
    void opened() throws BrokerException;

    /** Takes an entry, passes it over, or closes the channel. */
    void arrived(Arrival arrival, long nowNanos) throws BrokerException;

    /** All lines of an entry were taken, or none is to be taken. */
    void done(Arrival arrival, long nowNanos) throws BrokerException;

    /** Returns in how many ns something will be due if nothing comes; 0 for at once. */
    long idle(long nowNanos) throws BrokerException;

    /** The channel failed. */
    void failed(long nowNanos);
  }

  private final Logs logs;
  private final Policy policy;
  private final LogChannel channel;
  private final CurrentEntry current;

  // The stepping thread's.
  private Window window;
  private boolean justOpened;
  private long openedNanos;
  private long progressNanos;
  private long lastOffset = Arrival.NO_OFFSET;

  LogReader(
      Shard shard,
      Logs logs,
      ReaderMeter meter,
      ReaderConfig config,
      Runnable wake,
      Policy policy) {
    this.logs = logs;
    this.policy = policy;
    this.channel = new LogChannel(shard, logs, config, meter, wake);
    this.current = new CurrentEntry(shard, config.shards(), policy, channel::sendDeadLetter);
    this.window = new Window(config.stream(), false);
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Why the log is not read, in words for an operator; empty when nothing hinders it. */
  String trouble() {
    return channel.trouble();
  }

  /** Does what is due; see {@link dev.chatflow.support.StepThread.Passive#step}. */
  long step(long nowNanos) {
    try {
      return due(nowNanos);
    } catch (BrokerException e) {
      fail(String.valueOf(e.getMessage()), nowNanos);
      return 0;
    }
  }

  private long due(long now) throws BrokerException {
    if (!current.isEmpty()) {
      return takeLines(now);
    }
    long rest = policy.restNanos(now);
    long wait = rest > 0 ? rest : channel.waitNanos(now);
    if (wait > 0) {
      return wait;
    }
    if (!logs.isOpen()) {
      if (channel.isOpen()) {
        fail("the connection is lost", now);
      }
      return LOOK_NANOS;
    }
    if (!policy.mayOpen(now)) {
      return LOOK_NANOS;
    }
    if (!channel.isOpen()) {
      open();
      return 0;
    }
    noteOpened(now);
    Arrival next = channel.poll();
    if (next == null) {
      return idle(now);
    }
    progressNanos = now;
    policy.arrived(next, now);
    return 0;
  }

  private void open() throws BrokerException {
    channel.open(policy.start());
    justOpened = true;
    lastOffset = Arrival.NO_OFFSET;
    policy.opened();
  }

  /** Only in the next step: a broker that is looking for a lost node takes seconds to open. */
  private void noteOpened(long now) {
    if (justOpened) {
      justOpened = false;
      openedNanos = now;
      progressNanos = now;
    }
  }

  private long idle(long now) throws BrokerException {
    String ended = channel.ended();
    if (ended != null) {
      fail(ended, now);
      return 0;
    }
    channel.tick(now);
    return policy.idle(now);
  }

  /** Takes the lines of the entry in hand, as long as there is space. */
  private long takeLines(long now) throws BrokerException {
    Arrival taken = current.take(window);
    if (taken == null) {
      return SPACE_NANOS;
    }
    done(taken, now);
    return 0;
  }

  // --- what a policy does with an entry

  /** Takes the lines of an entry that is on time. */
  void take(Arrival arrival, Source source, long now) throws BrokerException {
    current.begin(arrival, source);
    long _ = takeLines(now);
  }

  /** Ends an entry whose lines are not taken. */
  void done(Arrival arrival, long now) throws BrokerException {
    channel.taken(arrival, now);
    policy.done(arrival, now);
  }

  /** Passes over an entry that was read before. */
  void skip(Arrival arrival, long now) throws BrokerException {
    lastOffset = arrival.offset();
    channel.taken(arrival, now);
  }

  /** Shows the next entry to the window. */
  EntryVerdict judge(Arrival arrival) {
    lastOffset = arrival.offset();
    return window.judge(arrival.entry(), arrival.body().length);
  }

  /**
   * How much greater the entry's offset is than the previous entry's: at most 2, because the
   * entries that the broker itself writes come one at a time. 1 when an offset is not known.
   */
  long distance(Arrival arrival) {
    boolean unknown = arrival.offset() == Arrival.NO_OFFSET || lastOffset == Arrival.NO_OFFSET;
    return unknown ? 1 : arrival.offset() - lastOffset;
  }

  /** An entry with a wrong {@link #distance}, in words. */
  String jump(Arrival arrival) {
    return "offset " + arrival.offset() + " follows " + lastOffset;
  }

  /** The lane that published the entry whose lines are being taken, or null. */
  @Nullable Lane currentLane() {
    return current.lane();
  }

  // --- memory and channel

  Window window() {
    return window;
  }

  /** Forgets what was read. */
  void forget(WindowBounds bounds, boolean fromBirth) {
    window = new Window(bounds, fromBirth);
  }

  /** Gives up the entry whose lines are being taken. */
  void drop() {
    current.drop();
  }

  /** When the first step after the opening of the channel was made. */
  long openedNanos() {
    return openedNanos;
  }

  /** For how long nothing has come. */
  long silentNanos(long now) {
    return now - progressNanos;
  }

  /** Ends the reading; the next one may begin at once. */
  void close() {
    channel.close();
  }

  /** Ends a reading that failed or is not trusted; the next one begins after a pause. */
  void fail(String why, long now) {
    channel.failed(why, now);
    policy.failed(now);
  }
}
