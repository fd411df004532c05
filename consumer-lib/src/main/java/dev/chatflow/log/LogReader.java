package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.log.LogReceiver.Source;
import dev.chatflow.room.Shard;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of one shard through one channel after another. A {@link Policy} decides where each
 * channel begins and how each entry is handled.
 *
 * <p>One thread steps; any thread may read whether the log is open, and the trouble.
 */
final class LogReader {

  /** Interval of checks for changes without a notification. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Interval at which a line that waits for space is tried again. */
  private static final long SPACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The decisions of one kind of reader. Called while the reader steps. */
  interface Policy extends CurrentEntry.LineReceiver {

    /** Returns for how many ns the log need not be read; 0 to read it now. */
    default long restNanos(long nowNanos) {
      return 0;
    }

    /** Returns whether a channel may be opened. Called only while connected. */
    default boolean mayOpen(long nowNanos) throws BrokerException {
      return true;
    }

    /** Returns where the next channel begins. */
    Logs.Start start() throws BrokerException;

    /** Reports that the channel is open and no entry has arrived yet. */
    void opened() throws BrokerException;

    /** Handles an entry: takes it, skips it, or closes the channel. */
    void arrived(Arrival arrival, long nowNanos) throws BrokerException;

    /** Completes an entry whose lines were all taken, or are not to be taken. */
    void done(Arrival arrival, long nowNanos) throws BrokerException;

    /** Returns the ns until something is due if no entry arrives; 0 for at once. */
    long idle(long nowNanos) throws BrokerException;

    /** Reports that the channel failed. */
    void failed(long nowNanos);
  }

  private final Logs logs;
  private final Policy policy;
  private final LogChannel channel;
  private final CurrentEntry current;

  // Used only by the stepping thread.
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

  /** Returns why the log is not read, for operators; empty without a problem. */
  String trouble() {
    return channel.trouble();
  }

  /** Does the work that is due; see {@link dev.chatflow.support.StepThread.Passive#step}. */
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

  /**
   * Notes the opening in the step after it: a broker that is looking for a lost node takes seconds
   * to open.
   */
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

  /** Takes the lines of the current entry while there is space. */
  private long takeLines(long now) throws BrokerException {
    Arrival taken = current.take(window);
    if (taken == null) {
      return SPACE_NANOS;
    }
    done(taken, now);
    return 0;
  }

  // --- how a policy handles an entry

  /** Takes the lines of an entry that is on time. */
  void take(Arrival arrival, Source source, long now) throws BrokerException {
    current.begin(arrival, source);
    long _ = takeLines(now);
  }

  /** Completes an entry whose lines are not taken. */
  void done(Arrival arrival, long now) throws BrokerException {
    channel.taken(arrival, now);
    policy.done(arrival, now);
  }

  /** Skips an entry that was read before. */
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
   * Returns by how much the entry's offset exceeds the previous one: at most 2 in a valid log,
   * because entries of the broker come one at a time. 1 if an offset is unknown.
   */
  long distance(Arrival arrival) {
    boolean unknown = arrival.offset() == Arrival.NO_OFFSET || lastOffset == Arrival.NO_OFFSET;
    return unknown ? 1 : arrival.offset() - lastOffset;
  }

  /** Describes an entry with an invalid {@link #distance}. */
  String jump(Arrival arrival) {
    return "offset " + arrival.offset() + " follows " + lastOffset;
  }

  /** Returns the lane of the current entry, or null. */
  @Nullable Lane currentLane() {
    return current.lane();
  }

  // --- memory and channel

  Window window() {
    return window;
  }

  /** Discards the remembered entries. */
  void forget(WindowBounds bounds, boolean fromBirth) {
    window = new Window(bounds, fromBirth);
  }

  /** Drops the current entry. */
  void drop() {
    current.drop();
  }

  /** Returns the time of the first step after the channel was opened. */
  long openedNanos() {
    return openedNanos;
  }

  /** Returns for how long nothing has arrived. */
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
