package dev.chatflow.log;

import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a {@link PositionReader} reads, in the order of the log. The follower's thread calls.
 */
public interface Keeper {

  /** Whether another entry can be taken now; it is asked again a moment later. */
  boolean hasSpace();

  /**
   * Takes a line that was not taken before.
   *
   * @param verdict what it is worth, alike for everybody
   * @return null, or why it belongs to the dead letters
   */
  @Nullable String take(Line.Message line, LineVerdict verdict);

  /**
   * An entry is done: its lines, if it had any to take, were taken.
   *
   * @param behind the place behind it
   * @param bytes of its body
   */
  void passed(LogPosition behind, int bytes);

  /** The entry in hand was given up, with the lines that were taken of it: it is read again. */
  default void entryDropped() {}

  /** Entries may be missing behind the last one that was passed. */
  void gap(String why);
}
