package dev.chatflow.chat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One user in one room; it comes back by itself until it is left. Any thread. */
public interface Room {

  /**
   * A stretch of the room of which some texts may be missing.
   *
   * @param since when the connection was lost, or the room was last entered
   * @param until the first text known after it; null when there is none yet
   */
  record Gap(Instant since, @Nullable Message until) {}

  String id();

  /**
   * Sends a text, now or as soon as the room is joined. A listener must not wait for the answer,
   * nor for any other future of this library: {@code join()} and {@code get()} throw an {@link
   * IllegalStateException} there.
   *
   * <p>Done when the room has the text.
   *
   * <p>Waits while too many are under way ({@link ChatFlow.Builder#unconfirmed}), but for the
   * room's own thread, which gets {@link ChatException#TOO_MANY}. Other failures are a {@link
   * ChatException}, too. What depends on the answer runs on the room's thread.
   *
   * @throws IllegalArgumentException if the text does not have 1 to 500 characters
   */
  CompletableFuture<Message> send(String text);

  /**
   * Returns texts from before the first one known, oldest first. Each call goes further back. The
   * list is empty when the server keeps no earlier text.
   *
   * @param count the most texts to return: 1 to 100
   */
  CompletableFuture<List<Message>> older(int count);

  /**
   * Returns texts from before a text that the listener did not get, oldest first. To fill a gap,
   * start at {@link Gap#until}, then pass the first text of each answer until an answer is empty.
   *
   * @param count the most texts to return: 1 to 100
   */
  CompletableFuture<List<Message>> older(int count, Message before);

  /** Who is there, as far as it is known. */
  People people();

  State state();

  /**
   * Leaves; done when the room has seen it, within 3 s. What had not come back by then fails with
   * {@link ChatException#LEFT}. {@link ChatFlow#join} enters again, also while the leave is in
   * progress: the last call counts.
   */
  CompletableFuture<Void> leave();
}
