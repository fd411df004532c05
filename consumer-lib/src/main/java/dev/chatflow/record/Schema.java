package dev.chatflow.record;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;

/**
 * Creates the tables of an archive with numbered scripts: script n upgrades version n to n + 1. To
 * change a table, add a script; never change an existing one.
 */
final class Schema {

  /** For both databases; the differences are in {@link Dialect}. */
  private static final List<String> FIRST =
      """
      CREATE TABLE room(id {serial}, name text NOT NULL UNIQUE)
      CREATE TABLE server(id {serial}, name text NOT NULL UNIQUE)
      CREATE TABLE sender(id {serial}, user_id integer NOT NULL, username text NOT NULL, UNIQUE(user_id, username))
      CREATE INDEX sender_name ON sender(username)
      {message}
      CREATE INDEX message_room ON message(room, position)
      CREATE INDEX message_sender ON message(sender, at)
      CREATE TABLE activity(minute bigint NOT NULL, room integer NOT NULL, sender integer NOT NULL, texts bigint NOT NULL, joins bigint NOT NULL, leaves bigint NOT NULL, synthetic bigint NOT NULL, resends bigint NOT NULL, PRIMARY KEY(minute, room, sender)){rowid}
      CREATE TABLE participation(sender integer NOT NULL, room integer NOT NULL, first bigint NOT NULL, last bigint NOT NULL, messages bigint NOT NULL, PRIMARY KEY(sender, room)){rowid}
      CREATE TABLE log_position(shard integer PRIMARY KEY, log_offset bigint NOT NULL, lane text NOT NULL, number bigint NOT NULL, built bigint NOT NULL, strangers integer NOT NULL, counter bigint NOT NULL)
      CREATE TABLE gap(shard integer NOT NULL, at bigint NOT NULL, position bigint NOT NULL, why text NOT NULL)
      CREATE TABLE meta(version integer NOT NULL, since bigint NOT NULL, shards integer NOT NULL, built_since bigint NOT NULL, forgotten integer NOT NULL)
      """
          .lines()
          .toList();

  /** User ids were integers in the first version. */
  private static final List<String> USER_IDS_ARE_TEXT = List.of("{user_ids_are_text}");

  /** Texts carried nothing else in the second version. */
  private static final List<String> EXTRAS =
      List.of("ALTER TABLE message ADD COLUMN extras text NOT NULL DEFAULT ''");

  private static final List<List<String>> SCRIPTS = List.of(FIRST, USER_IDS_ARE_TEXT, EXTRAS);

  /**
   * The differences between databases.
   *
   * @param userIdsAreText changes the column of user ids to text; one statement per line
   */
  record Dialect(String serial, String message, String rowid, String userIdsAreText) {
    private String fill(String line) {
      return line.replace("{serial}", serial)
          .replace("{message}", message)
          .replace("{rowid}", rowid)
          .replace("{user_ids_are_text}", userIdsAreText);
    }
  }

  /**
   * The subject of an archive: its number of shards, and the time from which entries are recorded.
   */
  record Subject(int shards, long builtSince) {}

  private Schema() {}

  /**
   * Creates the tables or upgrades them to this version, within the caller's transaction.
   *
   * @throws StoreException if they have a later version or a different number of shards
   */
  static void bring(
      Connection connection, Dialect dialect, boolean exists, Subject subject, InstantSource clock)
      throws SQLException, StoreException {
    int version = exists ? check(connection, subject.shards()) : 0;
    try (Statement statement = connection.createStatement()) {
      for (List<String> script : SCRIPTS.subList(version, SCRIPTS.size())) {
        for (String each : script.stream().flatMap(line -> dialect.fill(line).lines()).toList()) {
          statement.execute(each);
        }
      }
      if (!exists) {
        statement.execute(
            "INSERT INTO meta VALUES (%d, %d, %d, %d, 0)"
                .formatted(SCRIPTS.size(), clock.millis(), subject.shards(), subject.builtSince()));
      } else if (version < SCRIPTS.size()) {
        statement.execute("UPDATE meta SET version = " + SCRIPTS.size());
      }
    }
  }

  private static int check(Connection connection, int shards) throws SQLException, StoreException {
    try (Statement statement = connection.createStatement();
        ResultSet meta = statement.executeQuery("SELECT version, shards FROM meta")) {
      if (!meta.next()) {
        throw unusable("its table meta does not belong to an archive");
      }
      int version = meta.getInt(1);
      if (version > SCRIPTS.size()) {
        throw unusable("it is of version " + version + ", this program knows " + SCRIPTS.size());
      }
      if (meta.getInt(2) != shards) {
        throw unusable(
            "it has %d shards, the cluster has CHATFLOW_SHARDS=%d; an archive cannot change the number:"
                    .formatted(meta.getInt(2), shards)
                + " set another CHATFLOW_CONSUMER_STORE");
      }
      return version;
    }
  }

  private static StoreException unusable(String why) {
    return new StoreException(
        StoreException.Cause.UNUSABLE, "the archive cannot be used: " + why, null);
  }
}
