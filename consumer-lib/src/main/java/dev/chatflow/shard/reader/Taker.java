package dev.chatflow.shard.reader;

import dev.chatflow.message.line.Line;
import dev.chatflow.shard.window.Window.LineVerdict;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a shard's log as it is read: a server's rooms, or a record.
 *
 * <p>The reader's thread calls, in the order of the log.
 */
public interface Taker {

  /**
   * Whether the line can be taken now. When it cannot, the taker does what helps, and is asked for
   * the same line again a moment later; nothing is decided before.
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

  /** Where a line comes from. */
  enum Source {
    /** Published before this process attached to the log. */
    PAST,
    /** Published by this process's lane. */
    OWN,
    /** Published by somebody else. */
    OTHER
  }

  /**
   * What was taken of the past counts no more: reading back begins, perhaps anew, or met an entry
   * that cannot be judged.
   */
  void pastBeginsAnew();

  /** All lines of an entry were taken. */
  void taken(Arrival arrival, int lines, Source source);

  /** An own entry with lines came too late: its senders, and whoever has lines out, are told. */
  void ownLate();

  /** The reader knows what is going on and follows the log. */
  void attached();

  /** Entries may be missing: whoever follows the shard is told, and all of it is forgotten. */
  void lost(String why);

  /** Nobody here needs the shard: its past is forgotten. */
  void detached();

  /** Whether anybody here needs the shard: members, senders, LEAVEs that are owed. */
  boolean isNeeded();
}
