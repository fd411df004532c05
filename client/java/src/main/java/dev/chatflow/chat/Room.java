package dev.chatflow.chat;

import java.util.concurrent.CompletableFuture;

/** One user in one room; it comes back by itself until it is left. Any thread. */
public interface Room {

  String id();

  /**
   * Sends a text, now or as soon as the room is joined. A listener must not wait for the answer: it
   * would wait for its own thread, and gets an {@link IllegalStateException} instead.
   *
   * <p>Done when the room has the text.
   *
   * <p>Waits while too many are under way ({@link ChatFlow.Builder#unconfirmed}), but for the
   * room's own thread, which gets {@link ChatException#TOO_MANY}. Other failures are a {@link
   * ChatException}, too. What depends on the answer runs on the room's thread.
   */
  CompletableFuture<Message> send(String text);

  /** Who is there, as far as it is known. */
  People people();

  State state();

  /**
   * Leaves; done when the room has seen it, within 3 s. What had not come back by then fails with
   * {@link ChatException#LEFT}.
   */
  CompletableFuture<Void> leave();
}
