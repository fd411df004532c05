package dev.chatflow.record;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a store could not do, and what helps. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What helps. */
  public enum Cause {
    /** To try again: the database is away, full or busy, or another process writes the record. */
    AWAY,
    /** Nothing: some row is one that the database does not take. */
    REFUSED,
    /** To end: another process has written the record meanwhile. */
    FENCED,
    /** To end: what is there is no record of this version, or not of this number of shards. */
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

  /** What a driver threw. */
  public static StoreException of(String what, SQLException e) {
    return new StoreException(cause(e), "cannot " + what + ": " + e.getMessage(), e);
  }

  /** Another process has written the record {@code name} meanwhile. */
  public static StoreException fenced(String name) {
    return new StoreException(
        Cause.FENCED, "another process has written the record " + name + " meanwhile", null);
  }

  /** Something unforeseen happened while the record {@code name} was written. */
  public static StoreException failed(String name, RuntimeException e) {
    return new StoreException(
        Cause.UNUSABLE,
        "the record " + name + " was given up after an unexpected failure: " + e,
        e);
  }

  public Cause why() {
    return why;
  }

  /** Data is refused by classes 22 and 23 of SQLSTATE; SQLite's driver gives none, but a code. */
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
