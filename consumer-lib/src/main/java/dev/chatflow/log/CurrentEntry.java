package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.log.Taker.Source;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.message.Line;
import dev.chatflow.room.Shard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry whose lines are being taken: each is decided by the window and handed to the taker, or
 * buried when nobody can read it. One thread.
 */
public final class CurrentEntry {

  private static final Logger log = LoggerFactory.getLogger(CurrentEntry.class);

  /** Where lines go that nobody can read. */
  @FunctionalInterface
  public interface DeadLetters {
    void sendDeadLetter(DeadLetter letter) throws BrokerException;
  }

  /** What becomes of the lines of entries. The reader's thread calls, in the order of the log. */
  public interface LineTaker {

    /**
     * Whether the line can be taken now. When it cannot, the taker does what helps, and is asked
     * for the same line again a moment later; nothing is decided before.
     */
    boolean hasSpace(Line.Message line);

    /**
     * Takes a line of an entry that is on time.
     *
     * @param verdict what it is worth, alike for everybody
     * @param source where it comes from
     * @return null, or why it belongs to the dead letters
     */
    @Nullable String take(Line.Message line, LineVerdict verdict, Source source);

    /** All lines of an entry were taken. */
    void taken(Arrival arrival, int lines, Source source);
  }

  private final Shard shard;
  private final int shards;
  private final LineTaker taker;
  private final DeadLetters deadLetters;
  private final Lines lines = new Lines();

  private @Nullable Arrival arrival;
  private Source source = Source.OTHER;

  public CurrentEntry(Shard shard, int shards, LineTaker taker, DeadLetters deadLetters) {
    this.shard = shard;
    this.shards = shards;
    this.taker = taker;
    this.deadLetters = deadLetters;
  }

  /** Turns to an entry that is on time. */
  public void begin(Arrival next, Source from) {
    arrival = next;
    source = from;
    lines.begin(next);
  }

  public boolean isEmpty() {
    return arrival == null;
  }

  /** The lane that published the entry, or null. */
  @Nullable Lane lane() {
    Entry entry = arrival == null ? null : arrival.entry();
    return entry == null ? null : entry.lane();
  }

  /** Gives it up, with what is left of it. */
  public void drop() {
    arrival = null;
  }

  /**
   * Takes its lines, as long as there is space.
   *
   * @return the entry when all were taken; null when the next one has to wait
   */
  public @Nullable Arrival take(Window window) throws BrokerException {
    Arrival entry = arrival;
    if (entry == null) {
      throw new IllegalStateException("no entry in hand");
    }
    for (Line line = lines.peek(); line != null; line = lines.peek()) {
      if (line instanceof Line.Message message && !taker.hasSpace(message)) {
        return null;
      }
      take(line, window);
      lines.next();
    }
    arrival = null;
    taker.taken(entry, lines.taken(), source);
    return entry;
  }

  /** A line that fails in an unforeseen way must not stop all others. */
  private void take(Line line, Window window) throws BrokerException {
    byte[] asItCame = line instanceof Line.Poison ? lines.copy() : null;
    String reason;
    try {
      reason =
          switch (line) {
            case Line.Message message -> take(message, window);
            case Line.Poison poison -> poison.reason();
          };
    } catch (RuntimeException e) {
      log.error("a line of shard {} failed", shard.index(), e);
      reason = "failed: " + e;
    }
    if (reason != null && source != Source.PAST) {
      deadLetters.sendDeadLetter(
          new DeadLetter(asItCame == null ? lines.copy() : asItCame, reason));
    }
  }

  private @Nullable String take(Line.Message message, Window window) {
    if (!Shard.of(message.room(), shards).equals(shard)) {
      return "room " + message.room() + " is not of the shard it was sent to";
    }
    if (isAhead(message)) {
      return "its stamp " + message.stamp() + " is later than the entry that it is in";
    }
    LineVerdict verdict = decide(message, window);
    if (isUnsure(window)) {
      return null; // remembered, but nobody can say whether it was shown
    }
    return taker.take(message, verdict, source);
  }

  /** A stamp in the future would outrank every JOIN to come: none is given out before its entry. */
  private boolean isAhead(Line.Message message) {
    return arrival == null || message.stamp() > arrival.builtMillis();
  }

  private boolean isUnsure(Window window) {
    return source == Source.PAST && !window.isComplete();
  }

  private static LineVerdict decide(Line.Message message, Window window) {
    Stamp stamp = Stamp.of(message);
    return switch (message.type()) {
      case TEXT -> window.say(message.room(), message.userId(), stamp, message.idHash());
      case JOIN ->
          stamp == null ? LineVerdict.SHOWN : window.join(message.room(), message.userId(), stamp);
      case LEAVE ->
          stamp == null ? LineVerdict.SHOWN : window.leave(message.room(), message.userId(), stamp);
    };
  }
}
