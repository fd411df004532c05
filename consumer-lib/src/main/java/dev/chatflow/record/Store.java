package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The storage of the message archive. One transaction holds rows, counts and log positions, so a
 * message is in it exactly once or not at all.
 *
 * <p>One thread writes; {@link #questions} is thread-safe.
 */
public interface Store extends AutoCloseable {

  /**
   * How far a shard is recorded.
   *
   * @param position in its log
   * @param counter position of its last message; positions are dense
   */
  record Mark(LogPosition position, long counter) {}

  /**
   * Connects if necessary, and creates the tables or upgrades them.
   *
   * @param shards the cluster's number of shards, which an archive cannot change
   * @param sinceMillis a new archive ignores entries built before this time; in ms since the epoch,
   *     0 for all
   * @return how far each recorded shard is recorded
   * @throws StoreException AWAY also while another process writes this archive
   */
  Map<Integer, Mark> open(int shards, long sinceMillis) throws StoreException;

  /**
   * Returns the time before which entries are ignored, as set when the archive was created; only
   * after open.
   */
  long sinceMillis();

  /**
   * Writes a batch completely or not at all. After a failure the outcome is unknown; {@link #open}
   * shows it.
   *
   * @param before how far its shards are recorded; a missing shard is not recorded at all
   * @return how far they are recorded now
   * @throws StoreException FENCED if another process has written in the meantime
   */
  Map<Integer, Mark> append(WriteBatch batch, Map<Integer, Mark> before) throws StoreException;

  /** Returns whether the database accepts these rows; writes nothing. */
  boolean accepts(WriteBatch batch, Map<Integer, Mark> before) throws StoreException;

  /**
   * Deletes some of the messages recorded before one day and of the counts before another day; with
   * the last count of a user also their name.
   *
   * @param messages days since the epoch, in UTC
   * @param counts days since the epoch, not later than {@code messages}
   * @return whether there may be more
   */
  boolean retain(long messages, long counts) throws StoreException;

  /**
   * Removes a user's name and texts; the messages are still counted. Any process may call, even
   * while another one writes.
   *
   * @return the number of messages of that user
   */
  long forget(String userId) throws StoreException;

  /** Returns its name, without secrets. */
  String name();

  ArchiveQueries questions();

  /**
   * Returns the unconnected store for a text.
   *
   * @param text {@code sqlite:PATH} or {@code jdbc:postgresql://...}
   * @throws IllegalArgumentException if it is neither
   */
  static Store of(String text, InstantSource clock) {
    if (text.matches("sqlite:.+")) {
      return new SqliteStore(Path.of(text.substring("sqlite:".length())), clock);
    }
    if (text.startsWith("jdbc:postgresql:")) {
      return new PostgresStore(text, clock);
    }
    throw new IllegalArgumentException("neither sqlite:PATH nor jdbc:postgresql://...");
  }

  /** Closes the connections; {@link #open} may be called again. */
  @Override
  void close();
}
