package dev.chatflow.record;

import dev.chatflow.room.FrameName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Queries a message archive. Thread-safe: each query has its own connection, and up to {@value
 * #MAX_IDLE} idle ones are kept.
 */
public final class ArchiveQueries implements AutoCloseable {

  private static final int MAX_IDLE = 4;

  /** Creates a connection for reading. */
  @FunctionalInterface
  interface Connecting {
    Connection connect() throws SQLException;
  }

  /** A message with its position in its room's history. */
  public record Stored(long position, Row row) {}

  /**
   * The requested page of messages.
   *
   * @param from messages from this position on, oldest first; 0 for the newest
   * @param before messages before this position
   * @param sinceMillis accepted at this time or later
   * @param untilMillis accepted before this time
   */
  public record Page(long from, long before, long sinceMillis, long untilMillis, int limit) {}

  /** Reads one row of a result. */
  interface Reading<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static final String MESSAGE =
      "SELECT m.position, m.kind, r.name, s.user_id, s.username, v.name, m.at, m.sent,"
          + " m.message_id, m.body, m.extras FROM message m JOIN room r ON r.id = m.room"
          + " JOIN sender s ON s.id = m.sender JOIN server v ON v.id = m.server";

  private static final Comparator<Stored> NEWEST_FIRST =
      Comparator.<Stored>comparingLong(each -> each.row().atMillis())
          .thenComparingLong(Stored::position)
          .reversed();

  private final Connecting connecting;
  private final InstantSource clock;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idling = new AtomicInteger();

  ArchiveQueries(Connecting connecting, InstantSource clock) {
    this.connecting = connecting;
    this.clock = clock;
  }

  long now() {
    return clock.millis();
  }

  // --- messages

  /** Returns messages of a room, oldest first. */
  public List<Stored> ofRoom(String room, Page page) throws StoreException {
    boolean forward = page.from() > 0;
    Conditions which = new Conditions("m.room = (SELECT id FROM room WHERE name = ?)", room);
    which.and(page.from() > 0, "m.position >= ?", page.from());
    which.and(page.before() < Long.MAX_VALUE, "m.position < ?", page.before());
    List<Stored> found = ask(which, page, forward ? "m.position" : "m.position DESC");
    return forward ? found : reversed(found);
  }

  /** Returns messages of all users who had this name, oldest first. */
  public List<Stored> ofUser(String username, Page page) throws StoreException {
    List<Stored> found = new ArrayList<>();
    for (int sender :
        ask("SELECT id FROM sender WHERE username = ?", row -> row.getInt(1), username)) {
      Conditions which = new Conditions("m.sender = ?", sender);
      found.addAll(ask(which, page, "m.at DESC, m.position DESC"));
    }
    found.sort(NEWEST_FIRST);
    return reversed(found.subList(0, Math.min(page.limit(), found.size())));
  }

  private List<Stored> ask(Conditions which, Page page, String order) throws StoreException {
    which.and(page.sinceMillis() > 0, "m.at >= ?", page.sinceMillis());
    which.and(page.untilMillis() < Long.MAX_VALUE, "m.at < ?", page.untilMillis());
    String sql = MESSAGE + which.text() + " ORDER BY " + order + " LIMIT " + page.limit();
    return ask(sql, ArchiveQueries::stored, which.parameters());
  }

  /**
   * The conditions of a query, only those that were requested: without table statistics, each
   * further condition lowers the database's row estimate, until it reads and sorts everything.
   */
  private static final class Conditions {
    private final StringBuilder text = new StringBuilder(" WHERE ");
    private final List<Object> parameters = new ArrayList<>();

    Conditions(String first, Object parameter) {
      text.append(first);
      parameters.add(parameter);
    }

    void and(boolean isRequested, String condition, long parameter) {
      if (isRequested) {
        text.append(" AND ").append(condition);
        parameters.add(parameter);
      }
    }

    String text() {
      return text.toString();
    }

    Object[] parameters() {
      return parameters.toArray();
    }
  }

  private static List<Stored> reversed(List<Stored> found) {
    Collections.reverse(found);
    return found;
  }

  /** Returns the position of a frame in its room, or null if it is missing or occurs twice. */
  public @Nullable Long position(String room, FrameName name) throws StoreException {
    List<Stored> found =
        ask(
            MESSAGE
                + " WHERE m.room = (SELECT id FROM room WHERE name = ?) AND m.sender IN"
                + " (SELECT id FROM sender WHERE user_id = ?) AND m.at = ? AND m.message_id = ?",
            ArchiveQueries::stored,
            room,
            name.userId(),
            name.serverMillis(),
            name.messageId());
    List<Stored> same =
        found.stream().filter(each -> each.row().kind().type.equals(name.messageType())).toList();
    return same.size() == 1 ? Long.valueOf(same.getFirst().position()) : null;
  }

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(
        row.getLong(1),
        new Row(
            Row.Kind.of(row.getInt(2)),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getLong(7),
            row.getString(8),
            row.getString(9),
            row.getString(10),
            row.getString(11)));
  }

  // --- executing queries

  /**
   * Executes a query. An idle connection may have ended with its database, so the query is repeated
   * once on a new one.
   *
   * @param parameters texts and integers
   */
  <T> List<T> ask(String sql, Reading<T> reading, Object... parameters) throws StoreException {
    Connection kept = idle.pollFirst();
    if (kept != null) {
      idling.decrementAndGet();
      try {
        return askBy(kept, sql, reading, parameters);
      } catch (SQLException _) {
        close(); // the other idle connections are as old
      }
    }
    try {
      return askBy(connecting.connect(), sql, reading, parameters);
    } catch (SQLException e) {
      throw StoreException.of("query the archive", e);
    }
  }

  private <T> List<T> askBy(
      Connection connection, String sql, Reading<T> reading, Object... parameters)
      throws SQLException {
    boolean well = false;
    try {
      List<T> found = ask(connection, sql, reading, parameters);
      well = true;
      return found;
    } finally {
      giveBack(connection, well);
    }
  }

  private static <T> List<T> ask(
      Connection connection, String sql, Reading<T> reading, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reading.read(rows));
        }
      }
      return found;
    }
  }

  /** Returns a connection; one whose query failed may be broken and is closed. */
  private void giveBack(Connection connection, boolean well) {
    if (well && idling.incrementAndGet() <= MAX_IDLE) {
      idle.addFirst(connection);
      return;
    }
    if (well) {
      idling.decrementAndGet();
    }
    SqlStore.closeQuietly(connection);
  }

  @Override
  public void close() {
    for (Connection each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
      idling.decrementAndGet();
      SqlStore.closeQuietly(each);
    }
  }
}
