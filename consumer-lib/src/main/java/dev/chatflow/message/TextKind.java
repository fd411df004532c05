package dev.chatflow.message;

import org.jspecify.annotations.Nullable;

/** The kinds of TEXT and SIGNAL that the protocol knows, with the rules of each. */
enum TextKind {
  /** No kind, or a word of the application. */
  OTHER,
  REPLY,
  EDIT,
  DELETE,
  REACTION;

  static TextKind of(@Nullable String kind) {
    return switch (kind) {
      case "reply" -> REPLY;
      case "edit" -> EDIT;
      case "delete" -> DELETE;
      case "reaction" -> REACTION;
      case null, default -> OTHER;
    };
  }

  /** Returns whether it must name a message. */
  boolean namesMessage() {
    return this != OTHER;
  }

  /** Returns whether it changes the message, which only its author may do. */
  boolean changesMessage() {
    return this == EDIT || this == DELETE;
  }

  /** Returns whether its text may be empty. */
  boolean mayBeEmpty(boolean hasData) {
    return this == DELETE || hasData;
  }
}
