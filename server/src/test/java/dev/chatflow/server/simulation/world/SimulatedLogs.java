package dev.chatflow.server.simulation.world;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.log.Inbox;
import dev.chatflow.log.Logs;
import dev.chatflow.room.Shard;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The log over the connection of one server or of the recorder. */
public final class SimulatedLogs implements Logs {

  /** Maximum distance from the end at which the last chunk of entries may begin. */
  private static final int CHUNK = 8;

  private final World world;
  private final long number;
  private final BooleanSupplier open;
  private final Runnable onOvertaken;
  private final List<Feed> feeds = new ArrayList<>();
  private boolean overtaken;
  private int readings;

  /**
   * @param number number of the boot of a server or, below 0, of the recorder
   * @param onOvertaken called when a ring overwrote undelivered entries
   */
  SimulatedLogs(World world, long number, BooleanSupplier open, Runnable onOvertaken) {
    this.world = world;
    this.number = number;
    this.open = open;
    this.onOvertaken = onOvertaken;
  }

  World world() {
    return world;
  }

  long number() {
    return number;
  }

  @Override
  public boolean isOpen() {
    return open.getAsBoolean();
  }

  @Override
  public boolean haveOffsets() {
    return !world.log().isRing();
  }

  @Override
  public void ensure(Shard shard) {}

  @Override
  public long entries(Shard shard) {
    return (long) world.log().size() - world.log().oldest();
  }

  @Override
  public Reading read(Shard shard, Start start, int prefetch, Inbox inbox) throws BrokerException {
    if (!isOpen()) {
      throw new BrokerException("no connection");
    }
    SimulatedLog log = world.log();
    Feed feed =
        switch (start) {
          case Start.Last _ -> new Feed(this, inbox, prefetch, lastChunk(), 0);
          case Start.Oldest _ -> new Feed(this, inbox, prefetch, log.oldest(), 0);
          case Start.At(long offset, _) ->
              new Feed(this, inbox, prefetch, log.positionOf(offset), offset);
        };
    feeds.add(feed);
    readings++;
    world.note(() -> "boot " + number + " reads from " + start);
    return feed;
  }

  private int lastChunk() {
    int size = world.log().size();
    int back = 1 + world.dice().below(CHUNK, Channel.LAST, number * 10_000 + size);
    return Math.max(0, size - back);
  }

  /** Returns the number of readings so far. */
  int readings() {
    return readings;
  }

  /** Reports an appended entry. */
  void appended() {
    for (int i = 0; i < feeds.size(); i++) {
      feeds.get(i).soon();
    }
  }

  /** Ends every channel. */
  void cut() {
    List.copyOf(feeds).forEach(Feed::cut);
  }

  /** Ends all reading. */
  void close() {
    List.copyOf(feeds).forEach(Feed::close);
  }

  void ended(Feed feed) {
    feeds.remove(feed);
  }

  /** Reports that entries were overwritten before they were delivered. */
  void overtaken() {
    overtaken = true;
    onOvertaken.run();
  }

  public boolean isOvertaken() {
    return overtaken;
  }

  /** Reports that the reader has detected it. */
  void clearOvertaken() {
    overtaken = false;
  }

  boolean areAtEnd() {
    return feeds.stream().allMatch(Feed::isAtEnd);
  }
}
