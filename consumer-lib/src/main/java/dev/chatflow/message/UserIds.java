package dev.chatflow.message;

import java.util.Locale;

/**
 * The user ids that a server accepts. Ids accepted by other servers are still read and shown:
 * broker lines and names of frames may contain any id.
 */
public enum UserIds {
  /** Integers from 1 to 100000. */
  NUMBER,
  /** All valid user ids. */
  STRING;

  /** Returns the rule for these ids. */
  public Rule rule() {
    return switch (this) {
      case NUMBER -> Rule.USER_NUMBER;
      case STRING -> Rule.USER_ID;
    };
  }

  /** Returns the value as configured. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
