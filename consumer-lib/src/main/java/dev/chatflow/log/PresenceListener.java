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

  /** The log is about to be attached: the first entry of this lane asks the other lanes. */
  void begins();

  /** Everything that was known is invalid. */
  void forget();

  /** The log is followed: all that is read from now on is known. */
  void attached();

  /** An entry of the past was read that cannot be judged: everything read before it is invalid. */
  void undecided(Entry entry);

  /** A line was read that the rooms show; {@code lane} wrote it. */
  void shown(Lane lane, Line.Message line);

  /**
   * An entry and all its lines were read for the first time.
   *
   * @param page its body when that is a page of members, else null
   * @param sure whether everything that decides on what follows is known
   */
  void read(Entry entry, Signals signals, byte @Nullable [] page, boolean sure, long nowNanos);

  /** Does what is due while nothing comes. */
  void step(long nowNanos);

  /** Whether this lane's last entry announced that it leaves the shard; if not, announces it. */
  boolean hasSaidFarewell();
}
