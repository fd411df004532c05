package dev.chatflow.server.simulation.world;

import dev.chatflow.log.Arrival;
import dev.chatflow.log.Inbox;
import dev.chatflow.log.Logs;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.world.SimulatedLog.Stored;

/** One channel that reads the log: delivers entries after a delay, up to the prefetch. */
public final class Feed implements Logs.Reading {

  /** Number of entries that a closed channel still delivers, after those of the next channel. */
  private static final int STRAYS = 3;

  private final World world;
  private final SimulatedLogs owner;
  private final Inbox inbox;
  private final int prefetch;
  private final long hiddenBelow;
  private int position;
  private long lastTag;
  private long acked;
  private boolean closed;
  private boolean scheduled;

  /**
   * @param position where it begins
   * @param hiddenBelow offsets below it are not delivered
   */
  Feed(SimulatedLogs owner, Inbox inbox, int prefetch, int position, long hiddenBelow) {
    this.world = owner.world();
    this.owner = owner;
    this.inbox = inbox;
    this.prefetch = prefetch;
    this.position = position;
    this.hiddenBelow = hiddenBelow;
    soon();
  }

  void soon() {
    if (!scheduled && !closed && lastTag - acked < prefetch && position < world.log().size()) {
      scheduled = true;
      world.clock().after(delayMillis(), this::deliver);
    }
  }

  private int delayMillis() {
    long number = owner.number() * 10_000L + position;
    boolean slow =
        world.plan().isSlow(owner.number())
            || world.dice().below(100, Channel.READING, number) == 0;
    return 1 + world.dice().below(slow ? 300 : 2, Channel.READING, -number);
  }

  private void deliver() {
    scheduled = false;
    SimulatedLog log = world.log();
    if (position < log.oldest() && !closed) {
      owner.overtaken();
      position = log.oldest();
    }
    while (!closed && position < log.size() && lastTag - acked < prefetch) {
      hand(log.get(position++));
    }
  }

  private void hand(Stored stored) {
    if (stored.offset() >= hiddenBelow) {
      inbox.put(arrival(stored));
    }
  }

  private Arrival arrival(Stored stored) {
    LaneEntry entry = stored.entry();
    Arrival.Content content =
        entry.isBeacon()
            ? Arrival.Content.NOTHING
            : entry.isPage()
                ? Arrival.Content.PRESENCE
                : entry.lines() == 1 ? Arrival.Content.LINE : Arrival.Content.LINES;
    return new Arrival(
        ++lastTag,
        world.log().isRing() ? Arrival.NO_OFFSET : stored.offset(),
        stored.headers(),
        entry.timeMillis(),
        entry.presenceHeaders(),
        content,
        entry.body().clone(), // each reader gets its own copy
        world.clock().now());
  }

  @Override
  public void ackUpTo(long tag) {
    acked = tag;
    soon();
  }

  @Override
  public void sendDeadLetter(DeadLetter letter) {
    throw new AssertionError("poison: " + letter.reason());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      owner.ended(this);
      world.clock().after(5, this::stray);
    }
  }

  private void stray() {
    SimulatedLog log = world.log();
    for (int i = 0; i < STRAYS && position >= log.oldest() && position < log.size(); i++) {
      hand(log.get(position++));
    }
  }

  /** Ends the channel. */
  void cut() {
    close();
    inbox.end("cut");
  }

  /** Returns whether everything was delivered. */
  boolean isAtEnd() {
    return position >= world.log().size();
  }
}
