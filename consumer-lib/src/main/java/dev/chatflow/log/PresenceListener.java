package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import dev.chatflow.message.Line;
import org.jspecify.annotations.Nullable;

/**
 * Learns from the entries of a shard's log who is in its rooms on all servers.
 *
 * <p>The reader's thread calls, in the order of the log; no call parks.
 */
public interface PresenceListener {

  /** The log is about to be attached: the others are asked by the first own entry. */
  void begins();

  /** Nothing that is known counts any more. */
  void forget();

  /** The log is followed: all that is read from now on is known. */
  void attached();

  /** An entry of the past was read that nobody can judge: what was read before it is no use. */
  void undecided(Entry entry);

  /** A line was read that is shown, of an entry of this lane. */
  void shown(Lane lane, Line.Message line);

  /**
   * An entry was read, for the first time, and all its lines were.
   *
   * @param page its body when it is of that kind, else null
   * @param sure whether everything that decides on what follows is known
   */
  void read(Entry entry, Signals signals, byte @Nullable [] page, boolean sure, long nowNanos);

  /** Does what is due while nothing comes. */
  void step(long nowNanos);

  /** Whether the others know that this lane goes, by the last of its entries; else tells them. */
  boolean hasSaidFarewell();
}
