package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the archive in PostgreSQL, in a separate schema for each test. The environment variable
 * {@code CHATFLOW_TEST_POSTGRES} names the server: {@code
 * jdbc:postgresql://host:port/database?user=...}.
 */
class PostgresStoreIT extends StoreContract {

  private static final String VARIABLE = "CHATFLOW_TEST_POSTGRES";

  private final String server = System.getenv().getOrDefault(VARIABLE, "");
  private final String schema = "test_" + UUID.randomUUID().toString().replace('-', '_');

  @BeforeEach
  void makeSchema() throws SQLException {
    Assumptions.assumeFalse(
        server.isEmpty(), VARIABLE + " names no PostgreSQL, such as jdbc:postgresql://host/db");
    execute("CREATE SCHEMA " + schema);
  }

  @AfterEach
  void dropSchema() throws SQLException {
    if (!server.isEmpty()) {
      execute("DROP SCHEMA " + schema + " CASCADE");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String url() {
    return server + (server.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  @Override
  Store store() {
    return Store.of(url(), clock);
  }

  @Override
  void refuse(Store store) throws Exception {
    execute(
        "ALTER TABLE message ADD CONSTRAINT refused CHECK (message_id <> '" + refusedId() + "')");
  }

  @Override
  void makeOfTheFirstVersion() throws Exception {
    execute(
        "ALTER TABLE sender ALTER COLUMN user_id TYPE integer USING user_id::integer;"
            + " ALTER TABLE message DROP COLUMN extras;"
            + " UPDATE meta SET version = 1");
  }

  @Test
  void usesANewConnectionWhenTheDatabaseEndedTheOldOne() throws Exception {
    try (Store store = store();
        ArchiveQueries questions = store.questions()) {
      var _ = store.open(SHARDS, 0);
      Analytics analytics = new Analytics(questions);
      assertThat(analytics.messages()).isZero();
      execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'chatflow-consumer'");
      assertThat(analytics.messages()).isZero();
    }
  }

  @Test
  void showsNoPassword() {
    String url = "jdbc:postgresql://u:pw1@host/db?user=u&password=pw2&sslpassword=pw3&x=1";
    assertThat(Store.of(url, clock).name())
        .isEqualTo("jdbc:postgresql://u:***@host/db?user=u&password=***&sslpassword=***&x=1");
  }
}
