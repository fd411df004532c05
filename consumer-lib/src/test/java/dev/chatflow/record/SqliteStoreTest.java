package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the archive in a real SQLite file. */
class SqliteStoreTest extends StoreContract {

  @TempDir private Path folder = Path.of("");

  private Path file() {
    return folder.resolve("data").resolve("record.db");
  }

  @Override
  Store store() {
    return Store.of("sqlite:" + file(), clock);
  }

  @Override
  void refuse(Store store) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TRIGGER refuse BEFORE INSERT ON message WHEN new.message_id = '"
              + refusedId()
              + "' BEGIN SELECT raise(ABORT, 'refused'); END");
    }
  }

  @Override
  void makeOfTheFirstVersion() throws Exception {
    List<String> script =
        List.of(
            "ALTER TABLE sender RENAME TO later",
            "CREATE TABLE sender(id integer PRIMARY KEY, user_id integer NOT NULL,"
                + " username text NOT NULL, UNIQUE(user_id, username))",
            "INSERT INTO sender SELECT id, user_id, username FROM later",
            "DROP TABLE later",
            "CREATE INDEX sender_name ON sender(username)",
            "ALTER TABLE message DROP COLUMN extras",
            "UPDATE meta SET version = 1");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      for (String each : script) {
        statement.execute(each);
      }
    }
  }

  /** A writer that was suspended within a transaction was reported as a locked database. */
  @Test
  void writerThatHoldsTheDatabaseIsReportedAsAnotherProcess() throws Exception {
    try (Store first = store();
        Store second = store()) {
      var _ = first.open(SHARDS, 0);
      try (Connection transaction = DriverManager.getConnection("jdbc:sqlite:" + file());
          Statement statement = transaction.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        assertThatThrownBy(() -> second.open(SHARDS, 0))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("another process writes");
        statement.execute("ROLLBACK");
      }
    }
  }

  @Test
  void isReadableOnlyByItsOwner() throws Exception {
    try (Store store = store()) {
      var _ = store.open(SHARDS, 0);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void leavesNoTraceOfAForgottenUserInItsFiles() throws Exception {
    try (Store store = store()) {
      var _ = store.append(batch(0, 1, text("1", 17, "the-secret")), store.open(SHARDS, 0));
      assertThat(store.forget("17")).isEqualTo(1);
      store.questions().close();
    }
    try (var files = Files.list(file().getParent())) {
      for (Path each : files.toList()) {
        String bytes = Files.readString(each, StandardCharsets.ISO_8859_1);
        assertThat(bytes).doesNotContain("the-secret", "user17");
      }
    }
  }

  @Test
  void onlyAFolderWhoseFilesMayBeExecutedCanHoldTheNativeLibrary(@TempDir Path folder) {
    assertThat(SqliteStore.isLoadable(folder)).isTrue();
    assertThat(SqliteStore.isLoadable(folder.resolve("absent"))).isFalse();
    assertThat(SqliteStore.isLoadable(Path.of("/sys"))).isFalse();
  }
}
