package dev.chatflow.record;

import dev.chatflow.log.LogPosition;
import dev.chatflow.record.StoreException.Cause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The common part of stores in SQLite and PostgreSQL. Used only by the writing thread. */
abstract class SqlStore implements Store {

  /** A row with its numbers, as inserted in the table of messages. */
  record Numbered(int room, long position, int sender, int server, Row row) {}

  private static final int MAX_WHY = 500;
  private static final int RETAIN_COUNTS = 2_000;

  private static final String FORGET_TEXTS =
      "UPDATE message SET body = '', extras = '', message_id = 'removed', kind = CASE kind WHEN "
          + Row.Kind.TEXT.code
          + " THEN "
          + Row.Kind.REMOVED.code
          + " ELSE kind END WHERE sender IN (SELECT id FROM sender WHERE user_id = ?)";

  private static final String FORGET_NAMES =
      "UPDATE sender SET username = 'removed' || id WHERE user_id = ?";

  private final InstantSource clock;
  private final NameNumbers ids = new NameNumbers();
  private @Nullable Connection connection;
  private int forgotten;
  private long countsSince = Long.MIN_VALUE;
  private volatile long sinceMillis;

  SqlStore(InstantSource clock) {
    this.clock = clock;
  }

  // --- differences between the databases

  /** Opens a connection without a transaction. */
  abstract Connection connect() throws SQLException, StoreException;

  /**
   * Opens such a connection and ensures that no other process writes this archive until it is
   * closed.
   */
  abstract Connection connectToWrite() throws SQLException, StoreException;

  /** Lets another process write if the end of the connection does not. */
  abstract void unlock();

  abstract boolean exists(Connection open) throws SQLException;

  abstract Schema.Dialect dialect();

  /** Inserts messages of one day, counted since 1970. */
  abstract void insert(Connection open, long day, List<Numbered> messages) throws SQLException;

  abstract boolean retain(Connection open, long epochDay) throws SQLException;

  /**
   * Begins a transaction. SQLite takes the lock at once, so no other process can write until its
   * end.
   */
  private static void begin(Connection open) throws SQLException {
    open.setAutoCommit(false);
  }

  /**
   * Commits. After a plain commit, SQLite's driver would begin another transaction and hold its
   * lock.
   */
  private static void commit(Connection open) throws SQLException {
    open.setAutoCommit(true);
  }

  // --- opening

  @Override
  public final Map<Integer, Mark> open(int shards, long since) throws StoreException {
    try {
      Connection open = connection;
      if (open == null) {
        open = connectToWrite();
        connection = open;
        begin(open);
        Schema.bring(open, dialect(), exists(open), new Schema.Subject(shards, since), clock);
        commit(open);
        sinceMillis = since(open);
      }
      return marks(open);
    } catch (SQLException e) {
      close();
      throw StoreException.of("open the archive " + name(), e);
    } catch (StoreException e) {
      close();
      throw e;
    }
  }

  private static long since(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery("SELECT built_since FROM meta")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public final long sinceMillis() {
    return sinceMillis;
  }

  private static Map<Integer, Mark> marks(Connection open) throws SQLException {
    Map<Integer, Mark> marks = new TreeMap<>();
    try (Statement statement = open.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT shard, log_offset, lane, number, built, strangers, counter FROM log_position")) {
      while (row.next()) {
        LogPosition position =
            new LogPosition(
                row.getLong(2), row.getString(3), row.getLong(4), row.getLong(5), row.getInt(6));
        marks.put(row.getInt(1), new Mark(position, row.getLong(7)));
      }
    }
    return marks;
  }

  // --- writing

  @Override
  public final Map<Integer, Mark> append(WriteBatch batch, Map<Integer, Mark> before)
      throws StoreException {
    return written(batch, before, true);
  }

  @Override
  public final boolean accepts(WriteBatch batch, Map<Integer, Mark> before) throws StoreException {
    try {
      Map<Integer, Mark> _ = written(batch, before, false);
      return true;
    } catch (StoreException e) {
      if (e.why() == Cause.REFUSED) {
        return false;
      }
      throw e;
    }
  }

  private Map<Integer, Mark> written(WriteBatch batch, Map<Integer, Mark> before, boolean commit)
      throws StoreException {
    Connection open = connection;
    if (open == null) {
      throw new StoreException(Cause.AWAY, "the archive " + name() + " is not open", null);
    }
    try {
      ids.begin();
      begin(open);
      forgetWhoIsForgotten(open);
      Map<Integer, Mark> after = write(open, batch, before);
      if (commit) {
        commit(open);
      } else {
        undo(open);
      }
      return after;
    } catch (SQLException e) {
      StoreException failure = StoreException.of("write the archive " + name(), e);
      if (failure.why() == Cause.REFUSED) {
        undo(open);
      } else {
        close();
      }
      throw failure;
    } catch (StoreException e) {
      close();
      throw e;
    }
  }

  private void undo(Connection open) {
    ids.forget();
    try {
      open.rollback();
      open.setAutoCommit(true);
    } catch (SQLException _) {
      close(); // the next call opens a new one
    }
  }

  /**
   * Drops the numbers of forgotten users: another process may have removed a name, and later
   * messages of that user get a new number.
   */
  private void forgetWhoIsForgotten(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery("SELECT forgotten FROM meta")) {
      int now = row.next() ? row.getInt(1) : forgotten;
      if (now != forgotten) {
        forgotten = now;
        ids.forget();
      }
    }
  }

  private Map<Integer, Mark> write(Connection open, WriteBatch batch, Map<Integer, Mark> before)
      throws SQLException, StoreException {
    Map<Integer, Mark> after = new HashMap<>(before);
    Map<Integer, Long> counters = new HashMap<>();
    before.forEach((shard, mark) -> counters.put(shard, mark.counter()));
    writeGaps(open, batch, counters);
    List<Numbered> messages = new ArrayList<>();
    Counts counts = new Counts();
    for (Map.Entry<Integer, List<Row>> ofShard : batch.rows().entrySet()) {
      long counter = counters.getOrDefault(ofShard.getKey(), 0L);
      for (Row row : ofShard.getValue()) {
        int room = ids.room(open, row.room());
        int sender = ids.sender(open, new NameNumbers.Sender(row.userId(), row.username()));
        counts.count(row, room, sender);
        if (row.isShown()) {
          counter++;
          messages.add(new Numbered(room, counter, sender, ids.server(open, row.server()), row));
        }
      }
      counters.put(ofShard.getKey(), counter);
    }
    for (Map.Entry<Integer, LogPosition> position : batch.positions().entrySet()) {
      int shard = position.getKey();
      Mark mark = new Mark(position.getValue(), counters.getOrDefault(shard, 0L));
      move(open, shard, before.get(shard), mark);
      after.put(shard, mark);
    }
    insert(open, TimeUnit.MILLISECONDS.toDays(clock.millis()), messages);
    add(open, counts);
    return after;
  }

  /**
   * Moves a shard's position. If another process has written in the meantime, the stored position
   * differs from the expected one.
   */
  private void move(Connection open, int shard, @Nullable Mark from, Mark to)
      throws SQLException, StoreException {
    String sql =
        from == null
            ? "INSERT INTO log_position(log_offset, lane, number, built, strangers, counter, shard)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            : "UPDATE log_position SET log_offset = ?, lane = ?, number = ?, built = ?, strangers = ?,"
                + " counter = ? WHERE shard = ? AND counter = ? AND log_offset = ? AND lane = ?"
                + " AND number = ? AND strangers = ?";
    try (PreparedStatement statement = open.prepareStatement(sql)) {
      LogPosition position = to.position();
      statement.setLong(1, position.offset());
      statement.setString(2, position.lane());
      statement.setLong(3, position.number());
      statement.setLong(4, position.built());
      statement.setInt(5, position.strangers());
      statement.setLong(6, to.counter());
      statement.setInt(7, shard);
      if (from != null) {
        statement.setLong(8, from.counter());
        statement.setLong(9, from.position().offset());
        statement.setString(10, from.position().lane());
        statement.setLong(11, from.position().number());
        statement.setInt(12, from.position().strangers());
      }
      if (statement.executeUpdate() != 1) {
        throw StoreException.fenced(name());
      }
    }
  }

  private static void writeGaps(Connection open, WriteBatch batch, Map<Integer, Long> counters)
      throws SQLException {
    for (WriteBatch.Gap gap : batch.gaps()) {
      List<Row> rows = batch.rows().getOrDefault(gap.shard(), List.of());
      long shown =
          rows.subList(0, Math.min(gap.before(), rows.size())).stream()
              .filter(Row::isShown)
              .count();
      try (PreparedStatement statement =
          open.prepareStatement("INSERT INTO gap(shard, at, position, why) VALUES (?, ?, ?, ?)")) {
        statement.setInt(1, gap.shard());
        statement.setLong(2, gap.atMillis());
        statement.setLong(3, counters.getOrDefault(gap.shard(), 0L) + shown);
        statement.setString(4, gap.why().substring(0, Math.min(gap.why().length(), MAX_WHY)));
        statement.executeUpdate();
      }
    }
  }

  private static void add(Connection open, Counts counts) throws SQLException {
    if (!counts.activity.isEmpty()) {
      addActivity(open, counts);
    }
    if (!counts.participation.isEmpty()) {
      addParticipation(open, counts);
    }
  }

  private static void addActivity(Connection open, Counts counts) throws SQLException {
    try (PreparedStatement statement =
        open.prepareStatement(
            "INSERT INTO activity(minute, room, sender, texts, joins, leaves, synthetic, resends)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(minute, room, sender) DO UPDATE SET"
                + " texts = activity.texts + excluded.texts,"
                + " joins = activity.joins + excluded.joins,"
                + " leaves = activity.leaves + excluded.leaves,"
                + " synthetic = activity.synthetic + excluded.synthetic,"
                + " resends = activity.resends + excluded.resends")) {
      for (Map.Entry<Counts.Key, Counts.Sums> entry : counts.activity.entrySet()) {
        Counts.Sums sums = entry.getValue();
        statement.setLong(1, entry.getKey().minute());
        statement.setInt(2, entry.getKey().room());
        statement.setInt(3, entry.getKey().sender());
        statement.setInt(4, sums.texts);
        statement.setInt(5, sums.joins);
        statement.setInt(6, sums.leaves);
        statement.setInt(7, sums.synthetic);
        statement.setInt(8, sums.resends);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void addParticipation(Connection open, Counts counts) throws SQLException {
    try (PreparedStatement statement =
        open.prepareStatement(
            "INSERT INTO participation(sender, room, first, last, messages) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT(sender, room) DO UPDATE SET"
                + " first = CASE WHEN excluded.first < participation.first"
                + " THEN excluded.first ELSE participation.first END,"
                + " last = CASE WHEN excluded.last > participation.last"
                + " THEN excluded.last ELSE participation.last END,"
                + " messages = participation.messages + excluded.messages")) {
      for (Map.Entry<Counts.Pair, Counts.Part> entry : counts.participation.entrySet()) {
        Counts.Part part = entry.getValue();
        statement.setInt(1, entry.getKey().sender());
        statement.setInt(2, entry.getKey().room());
        statement.setLong(3, part.first);
        statement.setLong(4, part.last);
        statement.setInt(5, part.messages);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  // --- retention

  @Override
  public final boolean retain(long messages, long counts) throws StoreException {
    Connection open = connection;
    if (open == null) {
      return false;
    }
    try {
      begin(open);
      boolean more = retain(open, messages);
      if (!more && counts != countsSince) {
        more = retainCounts(open, counts);
        countsSince = more ? countsSince : counts;
      }
      commit(open);
      return more;
    } catch (SQLException e) {
      close();
      throw StoreException.of("delete old messages of the archive " + name(), e);
    }
  }

  /** Deletes some counts; a user without remaining counts is deleted too. */
  private boolean retainCounts(Connection open, long epochDay) throws SQLException {
    long millis = TimeUnit.DAYS.toMillis(epochDay);
    try (Statement statement = open.createStatement()) {
      int deleted =
          statement.executeUpdate(
              "DELETE FROM activity WHERE (minute, room, sender) IN (SELECT minute, room, sender"
                  + " FROM activity WHERE minute < %d LIMIT %d)"
                      .formatted(TimeUnit.MILLISECONDS.toMinutes(millis), RETAIN_COUNTS));
      deleted +=
          statement.executeUpdate(
              "DELETE FROM participation WHERE (sender, room) IN (SELECT sender, room"
                  + " FROM participation WHERE last < %d LIMIT %d)"
                      .formatted(millis, RETAIN_COUNTS));
      if (deleted == 0) {
        statement.executeUpdate(
            "DELETE FROM sender WHERE NOT EXISTS (SELECT 1 FROM participation p WHERE p.sender ="
                + " sender.id) AND NOT EXISTS (SELECT 1 FROM message m WHERE m.sender = sender.id)");
        ids.forget();
      }
      return deleted > 0;
    }
  }

  @Override
  public final long forget(String userId) throws StoreException {
    try (Connection own = connect()) {
      begin(own);
      long messages;
      try (Statement meta = own.createStatement();
          PreparedStatement texts = own.prepareStatement(FORGET_TEXTS);
          PreparedStatement names = own.prepareStatement(FORGET_NAMES)) {
        meta.execute("UPDATE meta SET forgotten = forgotten + 1");
        texts.setString(1, userId);
        messages = texts.executeUpdate();
        names.setString(1, userId);
        names.executeUpdate();
      }
      commit(own);
      wipe(own);
      return messages;
    } catch (SQLException e) {
      throw StoreException.of("forget a user in the archive " + name(), e);
    }
  }

  /** Removes all traces of changed data from the files. */
  abstract void wipe(Connection open) throws SQLException;

  @Override
  public final void close() {
    Connection open = connection;
    connection = null;
    ids.forget();
    if (open != null) {
      closeQuietly(open);
    }
    unlock();
  }

  static void closeQuietly(Connection open) {
    try {
      open.close();
    } catch (SQLException _) {
      // closed is the goal
    }
  }
}
