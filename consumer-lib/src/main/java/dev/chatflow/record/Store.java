package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Where the record is written: one transaction holds rows, counts and places, so that a message is
 * in it once or not at all.
 *
 * <p>One thread writes; {@link #questions} may be asked by any.
 */
public interface Store extends AutoCloseable {

  /**
   * How far a shard is recorded.
   *
   * @param position in its log
   * @param counter the position of its last message; positions are dense
   */
  record Mark(LogPosition position, long counter) {}

  /**
   * Connects, unless it is connected, and makes or brings up to date what is there.
   *
   * @param shards of the cluster: a record is of one number
   * @param sinceMillis what was built before that is not wanted of a record that is made now; in ms
   *     since the epoch, 0 for all
   * @return how far each shard is recorded that is at all
   * @throws StoreException AWAY also while another process writes this record
   */
  Map<Integer, Mark> open(int shards, long sinceMillis) throws StoreException;

  /** What was built before is not wanted, as it was said when the record was made; after open. */
  long sinceMillis();

  /**
   * Writes a batch: all of it, or nothing. After a failure nobody knows which; {@link #open} tells.
   *
   * @param before how far its shards are recorded; a shard that is missing is not at all
   * @return how far they are now
   * @throws StoreException FENCED when another process has written meanwhile
   */
  Map<Integer, Mark> append(WriteBatch batch, Map<Integer, Mark> before) throws StoreException;

  /** Whether the database takes these rows; writes nothing. */
  boolean accepts(WriteBatch batch, Map<Integer, Mark> before) throws StoreException;

  /**
   * Deletes messages recorded before a day and counts of what was said before another one, some of
   * them; with the last count of a user also its name.
   *
   * @param messages a day of UTC since the epoch
   * @param counts likewise, not later
   * @return whether there may be more
   */
  boolean retain(long messages, long counts) throws StoreException;

  /**
   * Takes a person's name and texts out; what was said is counted as before. Any process may, also
   * while another writes.
   *
   * @return how many messages were of that user
   */
  long forget(String userId) throws StoreException;

  /** What it is, without secrets. */
  String name();

  Questions questions();

  /**
   * The store that a text names, not connected.
   *
   * @param text {@code sqlite:PATH} or {@code jdbc:postgresql://...}
   * @throws IllegalArgumentException when it is neither
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

  /** Gives the connections back; {@link #open} may follow. */
  @Override
  void close();
}
