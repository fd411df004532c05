package dev.chatflow.message;

import java.util.Locale;

/**
 * Which user ids a server lets in. What others let in is read and shown all the same: every line of
 * the broker and every name of a frame may hold any id.
 */
public enum UserIds {
  /** Integers from 1 to 100000. */
  NUMBER,
  /** All there are. */
  STRING;

  /** What an id of these keeps. */
  public Rule rule() {
    return switch (this) {
      case NUMBER -> Rule.USER_NUMBER;
      case STRING -> Rule.USER_ID;
    };
  }

  /** As it is configured and told. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
