package dev.chatflow.message;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of TEXT and SIGNAL that the protocol knows, with the rules of each. */
enum TextKind {
  /** No kind, or a word of the application. */
  OTHER,
  REPLY,
  EDIT,
  DELETE,
  REACTION,
  /** Until when a user may not write in the room: a SIGNAL that only servers send. */
  MUTE;

  static TextKind of(@Nullable String kind) {
    return switch (kind) {
      case "reply" -> REPLY;
      case "edit" -> EDIT;
      case "delete" -> DELETE;
      case "reaction" -> REACTION;
      case "mute" -> MUTE;
      case null, default -> OTHER;
    };
  }

  /** Returns its word in the field {@code kind}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether it must name a message. */
  boolean namesMessage() {
    return this != OTHER && this != MUTE;
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
