package dev.chatflow.record;

import dev.chatflow.record.StoreException.Cause;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The message archive in one SQLite file, readable only by its owner. The writing process holds
 * {@code PATH.lock}, which the operating system releases when the process ends.
 */
public final class SqliteStore extends SqlStore {

  /** A system property of SQLite's driver. */
  private static final String LIBRARY_FOLDER = "org.sqlite.tmpdir";

  private static final int BUSY_MILLIS = 5_000;
  private static final int CACHE_KIB = 32_768;

  /** As many as a batch can add, so that one step after each batch keeps up. */
  private static final int RETAIN_ROWS = 10_000;

  private static final int RETAIN_PAGES = 2_500;

  private static final Schema.Dialect DIALECT =
      new Schema.Dialect(
          "integer PRIMARY KEY",
          "CREATE TABLE message(day integer NOT NULL, room integer NOT NULL, position integer NOT"
              + " NULL, at integer NOT NULL, sent text NOT NULL, sender integer NOT NULL, kind"
              + " integer NOT NULL, server integer NOT NULL, message_id text NOT NULL, body text"
              + " NOT NULL)",
          " WITHOUT ROWID",
          """
          CREATE TABLE sender_2(id integer PRIMARY KEY, user_id text NOT NULL, username text NOT NULL, UNIQUE(user_id, username))
          INSERT INTO sender_2 SELECT id, user_id, username FROM sender
          DROP TABLE sender
          ALTER TABLE sender_2 RENAME TO sender
          CREATE INDEX sender_name ON sender(username)
          """);

  private final Path file;
  private final ArchiveQueries questions;
  private @Nullable FileChannel lock;

  public SqliteStore(Path file, InstantSource clock) {
    super(clock);
    this.file = file.toAbsolutePath();
    this.questions = new ArchiveQueries(this::connectToRead, clock);
  }

  @Override
  public String name() {
    return "sqlite:" + file;
  }

  @Override
  public ArchiveQueries questions() {
    return questions;
  }

  /** Locks the archive first: another writer may be suspended while it holds SQLite's own lock. */
  @Override
  Connection connectToWrite() throws SQLException, StoreException {
    lock();
    return connect();
  }

  private void createFolder() throws IOException {
    Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
  }

  @Override
  Connection connect() throws SQLException, StoreException {
    try {
      createFolder();
      chooseLibraryFolder();
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
    } catch (IOException e) {
      throw new SQLException("cannot make " + file + ": " + e, e);
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setCacheSize(-CACHE_KIB);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    Connection open = config.createConnection("jdbc:sqlite:" + file);
    try (Statement statement = open.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = INCREMENTAL"); // applies only to a new file
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA secure_delete = ON");
    }
    return open;
  }

  /**
   * Loads SQLite's native library from the archive's folder if the folder for temporary files is
   * mounted {@code noexec}.
   */
  private void chooseLibraryFolder() throws StoreException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path own = file.resolveSibling("");
    if (System.getProperty(LIBRARY_FOLDER) != null || isLoadable(temporary)) {
      return;
    }
    if (!isLoadable(own)) {
      throw new StoreException(
          StoreException.Cause.UNUSABLE,
          "SQLite's library cannot be loaded: %s and %s are mounted noexec or not writable; set -D%s=FOLDER to another folder"
              .formatted(temporary, own, LIBRARY_FOLDER),
          null);
    }
    System.setProperty(LIBRARY_FOLDER, own.toString());
  }

  /** Returns whether files of a folder may be executed, which is false if it is mounted noexec. */
  static boolean isLoadable(Path folder) {
    try {
      Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwx------");
      Path probe =
          Files.createTempFile(
              folder, "chatflow-", ".so", PosixFilePermissions.asFileAttribute(all));
      boolean may = Files.isExecutable(probe);
      Files.delete(probe);
      return may;
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }

  private Connection connectToRead() throws SQLException {
    if (!Files.exists(file)) {
      throw new SQLException("there is no archive " + file + " yet");
    }
    try {
      chooseLibraryFolder();
    } catch (StoreException e) {
      throw new SQLException(e.getMessage(), e);
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setCacheSize(-CACHE_KIB);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  private void lock() throws SQLException, StoreException {
    Path path = file.resolveSibling(file.getFileName() + ".lock");
    try {
      createFolder();
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = channel;
      if (channel.tryLock() == null) {
        throw anotherWrites();
      }
    } catch (OverlappingFileLockException _) {
      throw anotherWrites();
    } catch (IOException e) {
      throw new SQLException("cannot lock " + path + ": " + e, e);
    }
  }

  private StoreException anotherWrites() {
    return new StoreException(
        Cause.AWAY, "another process writes the archive " + name() + "; waiting for it", null);
  }

  @Override
  void unlock() {
    FileChannel held = lock;
    lock = null;
    if (held != null) {
      try {
        held.close();
      } catch (IOException _) {
        // the operating system releases it when the process ends
      }
    }
  }

  @Override
  boolean exists(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT 1 FROM sqlite_master WHERE name = 'meta'")) {
      return found.next();
    }
  }

  @Override
  Schema.Dialect dialect() {
    return DIALECT;
  }

  @Override
  void insert(Connection open, long day, List<Numbered> messages) throws SQLException {
    try (PreparedStatement statement =
        open.prepareStatement(
            "INSERT INTO message(day, room, position, at, sent, sender, kind, server, message_id,"
                + " body, extras) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (Numbered message : messages) {
        Row row = message.row();
        statement.setLong(1, day);
        statement.setInt(2, message.room());
        statement.setLong(3, message.position());
        statement.setLong(4, row.atMillis());
        statement.setString(5, row.sent());
        statement.setInt(6, message.sender());
        statement.setInt(7, row.kind().code);
        statement.setInt(8, message.server());
        statement.setString(9, row.messageId());
        statement.setString(10, row.body());
        statement.setString(11, row.extras());
        statement.executeUpdate();
      }
    }
  }

  /** Removes old data from the write-ahead log; pages of the database were overwritten already. */
  @Override
  void wipe(Connection open) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /** Deletes in small steps: rows of one time are stored together, the oldest first. */
  @Override
  boolean retain(Connection open, long epochDay) throws SQLException {
    try (Statement statement = open.createStatement()) {
      int deleted =
          statement.executeUpdate(
              "DELETE FROM message WHERE day < %d AND rowid < (SELECT min(rowid) FROM message) + %d"
                  .formatted(epochDay, RETAIN_ROWS));
      statement.execute("PRAGMA incremental_vacuum(" + RETAIN_PAGES + ")");
      return deleted > 0;
    }
  }
}
