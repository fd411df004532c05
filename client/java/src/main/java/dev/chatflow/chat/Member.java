package dev.chatflow.chat;

import org.jspecify.annotations.Nullable;

/** A user who is in a room. */
public interface Member extends User {

  /**
   * Returns the JSON object that the user's newest connection gave when it joined ({@link
   * ChatFlow.Builder#data}); null if it gave none.
   */
  @Nullable String data();
}
