package dev.chatflow.chat;

import org.jspecify.annotations.Nullable;

/**
 * The optional parts of a text or signal. Edits, deletions and reactions are texts too: the program
 * applies them to the message that they name. Immutable.
 */
public sealed interface Extras permits Values.ExtrasValue {

  /** None of these parts. */
  Extras NONE = new Values.ExtrasValue(null, null, null);

  /**
   * Returns the action on the message {@link #ref}, or a word of the application; 1 to 32 of {@code
   * A-Z a-z 0-9 . _ : -}.
   */
  @Nullable String kind();

  /** Returns the message that it names; not without a kind. */
  @Nullable Ref ref();

  /** Returns a JSON object of the application, at most 2,048 bytes of UTF-8. */
  @Nullable String data();

  /** The author and the id of a message of the room. */
  interface Ref {

    String userId();

    String id();
  }

  /** Carries a word of the application that names no message. */
  static Extras ofKind(String kind) {
    return new Values.ExtrasValue(kind, null, null);
  }

  static Extras reply(Message to) {
    return NONE.naming("reply", to);
  }

  /** Replaces the text of a message of your own. */
  static Extras edit(Message own) {
    return NONE.naming("edit", own);
  }

  /** Deletes a message of your own; the text may be empty. */
  static Extras delete(Message own) {
    return NONE.naming("delete", own);
  }

  /** Reacts to a message; the text is the reaction, such as an emoji. */
  static Extras reaction(Message to) {
    return NONE.naming("reaction", to);
  }

  /** Names a message with a kind, which may be a word of the application. */
  Extras naming(String kind, Message message);

  /** Adds a JSON object of the application. */
  Extras withData(String json);
}
