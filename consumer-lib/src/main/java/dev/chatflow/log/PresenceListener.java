package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import dev.chatflow.message.Line;
import org.jspecify.annotations.Nullable;

/**
 * Learns from the entries of a shard's log which members are in its rooms on all servers.
 *
 * <p>The reader's thread calls, in the order of the log; no call parks.
 */
public interface PresenceListener {

  /**
   * Reports that the log is about to be attached: the first entry of this lane requests snapshots
   * from the other lanes.
   */
  void begins();

  /** Discards everything that was known. */
  void forget();

  /** Reports that the log is followed: everything read from now on is known. */
  void attached();

  /** Reports an entry of the past that cannot be judged: everything read before it is invalid. */
  void undecided(Entry entry);

  /** Reports a line that the rooms show; {@code lane} wrote it. */
  void shown(Lane lane, Line.Message line);

  /**
   * Reports an entry that was read for the first time, with all its lines.
   *
   * @param page its body if it is a page of members, else null
   * @param sure whether everything that decides on later entries is known
   */
  void read(
      Entry entry,
      PresenceHeaders presenceHeaders,
      byte @Nullable [] page,
      boolean sure,
      long nowNanos);

  /** Does the work that is due while no entry arrives. */
  void step(long nowNanos);

  /**
   * Returns whether this lane's last entry announced that it leaves the shard; if not, announces
   * it.
   */
  boolean hasSaidFarewell();
}
