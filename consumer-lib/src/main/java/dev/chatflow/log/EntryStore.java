package dev.chatflow.log;

import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import org.jspecify.annotations.Nullable;

/**
 * Stores what a {@link PositionReader} reads, in the order of the log. The reader's thread calls.
 */
public interface EntryStore {

  /** Returns whether another entry can be taken now. If not, it is called again a moment later. */
  boolean hasSpace();

  /**
   * Takes a line that was not taken before.
   *
   * @param verdict the verdict, which is the same for all readers
   * @return null, or the reason to send it to the dead letters
   */
  @Nullable String take(Line.Message line, LineVerdict verdict);

  /**
   * Completes an entry: its lines, if any, were taken.
   *
   * @param behind the position after it
   * @param bytes size of its body
   */
  void passed(LogPosition behind, int bytes);

  /** Reports that the current entry was dropped with the lines taken so far: it is read again. */
  default void entryDropped() {}

  /** Reports that entries may be missing after the last one that was passed. */
  void gap(String why);
}
