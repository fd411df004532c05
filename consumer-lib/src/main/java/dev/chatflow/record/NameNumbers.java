package dev.chatflow.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of rooms, senders and servers, which rows contain instead of names.
 *
 * <p>Used only by the writing thread. Caches at most {@value #MAX_KNOWN} numbers, and clears the
 * cache when a transaction fails, because numbers assigned in it do not exist.
 */
final class NameNumbers {

  private static final int MAX_KNOWN = 200_000;

  /** A sender's id and name. */
  record Sender(String userId, String username) {}

  private final Map<String, Integer> rooms = new HashMap<>();
  private final Map<String, Integer> servers = new HashMap<>();
  private final Map<Sender, Integer> senders = new HashMap<>();

  void forget() {
    rooms.clear();
    servers.clear();
    senders.clear();
  }

  /** Prepares for a transaction; a number known in it stays known until its end. */
  void begin() {
    if (rooms.size() + servers.size() + senders.size() > MAX_KNOWN) {
      forget();
    }
  }

  int room(Connection connection, String name) throws SQLException {
    return named(connection, rooms, "room", name);
  }

  int server(Connection connection, String name) throws SQLException {
    return named(connection, servers, "server", name);
  }

  private static int named(
      Connection connection, Map<String, Integer> known, String table, String name)
      throws SQLException {
    Integer id = known.get(name);
    if (id == null) {
      id =
          numbered(
              connection,
              "INSERT INTO " + table + "(name) VALUES (?) ON CONFLICT DO NOTHING RETURNING id",
              "SELECT id FROM " + table + " WHERE name = ?",
              name,
              null);
      known.put(name, id);
    }
    return id;
  }

  int sender(Connection connection, Sender sender) throws SQLException {
    Integer id = senders.get(sender);
    if (id == null) {
      id =
          numbered(
              connection,
              "INSERT INTO sender(username, user_id) VALUES (?, ?)"
                  + " ON CONFLICT DO NOTHING RETURNING id",
              "SELECT id FROM sender WHERE username = ? AND user_id = ?",
              sender.username(),
              sender.userId());
      senders.put(sender, id);
    }
    return id;
  }

  private static int numbered(
      Connection connection, String insert, String select, String name, @Nullable String user)
      throws SQLException {
    Integer known = first(connection, select, name, user);
    Integer id = known == null ? first(connection, insert, name, user) : known;
    if (id == null) {
      throw new SQLException("no number for " + name);
    }
    return id;
  }

  private static @Nullable Integer first(
      Connection connection, String sql, String name, @Nullable String user) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      if (user != null) {
        statement.setString(2, user);
      }
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? Integer.valueOf(found.getInt(1)) : null;
      }
    }
  }
}
