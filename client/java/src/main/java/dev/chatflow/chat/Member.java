package dev.chatflow.chat;

import org.jspecify.annotations.Nullable;

/** A user who is in a room. */
public interface Member extends User {

  /**
   * Returns what the user's newest connection told about itself on entering, a JSON object ({@link
   * ChatFlow.Builder#data}); null for nothing.
   */
  @Nullable String data();
}
