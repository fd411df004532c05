package dev.chatflow.record;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reports a failure of the store, with the action that helps. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The action that helps. */
  public enum Cause {
    /** Retry: the database is unavailable, full or busy, or another process writes the archive. */
    AWAY,
    /** None: the database rejects one of the rows. */
    REFUSED,
    /** Stop: another process has written to the archive in the meantime. */
    FENCED,
    /** Stop: the data is not an archive of this version, or has a different number of shards. */
    UNUSABLE
  }

  private static final int SQLITE_CONSTRAINT = 19;
  private static final int SQLITE_MISMATCH = 20;
  private static final int SQLITE_TOOBIG = 18;
  private static final int PRIMARY_CODE = 0xff;

  private final Cause why;

  StoreException(Cause why, String text, @Nullable Throwable cause) {
    super(text, cause);
    this.why = why;
  }

  /** Wraps an exception of a driver. */
  public static StoreException of(String what, SQLException e) {
    return new StoreException(cause(e), "cannot " + what + ": " + e.getMessage(), e);
  }

  /** Creates the failure for an archive written by another process. */
  public static StoreException fenced(String name) {
    return new StoreException(
        Cause.FENCED, "another process has written to the archive " + name + " meanwhile", null);
  }

  /** Creates the failure for an unexpected exception while writing the archive {@code name}. */
  public static StoreException failed(String name, RuntimeException e) {
    return new StoreException(
        Cause.UNUSABLE,
        "the archive " + name + " was abandoned after an unexpected failure: " + e,
        e);
  }

  public Cause why() {
    return why;
  }

  /**
   * Returns the cause. Classes 22 and 23 of SQLSTATE mean rejected data; SQLite's driver has no
   * SQLSTATE, but an error code.
   */
  private static Cause cause(SQLException e) {
    String state = e.getSQLState();
    int code = e.getErrorCode() & PRIMARY_CODE;
    boolean refused =
        state == null
            ? code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH || code == SQLITE_TOOBIG
            : state.startsWith("22") || state.startsWith("23");
    return refused ? Cause.REFUSED : Cause.AWAY;
  }
}
