package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.log.LogReceiver.Source;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.message.Line;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.room.UserDevice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry whose lines are being processed: the window judges each line, which then goes to the
 * taker, or to the dead letters if it cannot be decoded. One thread.
 */
public final class CurrentEntry {

  private static final Logger log = LoggerFactory.getLogger(CurrentEntry.class);

  /** Receives lines that cannot be decoded. */
  @FunctionalInterface
  public interface DeadLetters {
    void sendDeadLetter(DeadLetter letter) throws BrokerException;
  }

  /** Receives the lines of entries. The reader's thread calls, in the order of the log. */
  public interface LineReceiver {

    /**
     * Returns whether the line can be taken now. If not, the taker makes space and is called with
     * the same line again a moment later. The line is not judged before.
     */
    boolean hasSpace(Line.Message line);

    /**
     * Takes a line of an entry that is on time.
     *
     * @param verdict the verdict, which is the same for all readers
     * @param source where the line comes from
     * @return null, or the reason to send it to the dead letters
     */
    @Nullable String take(Line.Message line, LineVerdict verdict, Source source);

    /** Reports that all lines of an entry were taken. */
    void taken(Arrival arrival, int lines, Source source);
  }

  private final Shard shard;
  private final int shards;
  private final LineReceiver taker;
  private final DeadLetters deadLetters;
  private final Lines lines = new Lines();

  private @Nullable Arrival arrival;
  private Source source = Source.OTHER;

  public CurrentEntry(Shard shard, int shards, LineReceiver taker, DeadLetters deadLetters) {
    this.shard = shard;
    this.shards = shards;
    this.taker = taker;
    this.deadLetters = deadLetters;
  }

  /** Starts an entry that is on time. */
  public void begin(Arrival next, Source from) {
    arrival = next;
    source = from;
    lines.begin(next);
  }

  public boolean isEmpty() {
    return arrival == null;
  }

  /** Returns the lane that published the entry, or null. */
  @Nullable Lane lane() {
    Entry entry = arrival == null ? null : arrival.entry();
    return entry == null ? null : entry.lane();
  }

  /** Drops the entry with its remaining lines. */
  public void drop() {
    arrival = null;
  }

  /**
   * Takes its lines while there is space.
   *
   * @return the entry if all lines were taken; null if the next one has to wait
   */
  public @Nullable Arrival take(Window window) throws BrokerException {
    Arrival entry = arrival;
    if (entry == null) {
      throw new IllegalStateException("no current entry");
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

  /** Takes one line. An unexpected failure of one line must not stop the others. */
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
      return "its stamp " + message.stamp() + " is later than its entry";
    }
    LineVerdict verdict = decide(message, clusterMillis(message), window);
    if (isUnsure(window)) {
      return null; // remembered, but whether it was shown cannot be known
    }
    return taker.take(message, verdict, source);
  }

  /**
   * Returns whether the stamp is in the future: it would outrank every later JOIN. A valid stamp is
   * never later than its entry.
   */
  private boolean isAhead(Line.Message message) {
    return arrival == null || message.stamp() > arrival.builtMillis();
  }

  private boolean isUnsure(Window window) {
    return source == Source.PAST && !window.isComplete();
  }

  /** Returns the cluster time of the entry; a foreign publisher's has none. */
  private long clusterMillis(Line.Message message) {
    long built = arrival == null ? 0 : arrival.builtMillis();
    return built == 0 ? message.serverMillis() : built;
  }

  private static LineVerdict decide(Line.Message message, long millis, Window window) {
    Stamp stamp = Stamp.of(message);
    RoomId room = message.room();
    UserDevice who = message.who();
    if (message.type().changesMembership() && window.isMuted(room, who, millis)) {
      message.silence();
    }
    return switch (message.type()) {
      case TEXT -> window.say(room, who, stamp, message.idHash(), millis);
      case SIGNAL ->
          message.mutes()
              ? window.mute(message.message())
              : window.signal(room, who, stamp, millis);
      case JOIN -> stamp == null ? LineVerdict.SHOWN : window.join(room, who, stamp);
      case LEAVE -> stamp == null ? LineVerdict.SHOWN : window.leave(room, who, stamp);
    };
  }
}
