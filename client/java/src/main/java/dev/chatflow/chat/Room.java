package dev.chatflow.chat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A user's membership of one room; it reconnects until it is left. Thread-safe. */
public interface Room {

  /** A period for which some texts of the room may be missing. */
  interface Gap {

    /** Returns when the connection was lost, or when the room was last joined. */
    Instant since();

    /** Returns the first text known after it; null if there is none yet. */
    @Nullable Message until();
  }

  String id();

  /**
   * Sends a text now, or as soon as the room is joined. The future completes when the room has the
   * text. A listener must not wait for this or any other future of this library: {@code join()} and
   * {@code get()} throw an {@link IllegalStateException} there.
   *
   * <p>Blocks while too many texts are unacknowledged ({@link ChatFlow.Builder#unconfirmed}); on
   * the room's own thread it fails with {@link Code#TOO_MANY} instead. Other failures are a {@link
   * ChatException} too. Dependent stages run on the room's thread.
   *
   * @throws IllegalArgumentException if the text is too long, or empty
   */
  default CompletableFuture<Message> send(String text) {
    return send(text, Extras.NONE);
  }

  /**
   * Sends a text like {@link #send(String)} that carries more: {@code send("yes",
   * Extras.reply(message))}. It may be empty if it has data or deletes a message.
   */
  CompletableFuture<Message> send(String text, Extras extras);

  /**
   * Sends a signal of this kind that carries nothing else, like {@link #signal(Extras, String)}.
   */
  default boolean signal(String kind) {
    return signal(Extras.ofKind(kind), "");
  }

  /**
   * Sends a signal to all members that are connected now: {@code
   * signal(Extras.ofKind("cursor").withData(json), "")}. It is never repeated, and its loss is not
   * reported: servers drop more than 10 a second. Never blocks.
   *
   * @param text up to 500 characters; may be empty
   * @return false if the room is not joined now, so that nothing was sent
   * @throws IllegalArgumentException if the kind is missing or invalid, or the text is too long
   */
  boolean signal(Extras extras, String text);

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

  /** Returns the members known so far. */
  People people();

  State state();

  /**
   * Leaves the room. The future completes when the room has seen the LEAVE, within 3 s. Texts that
   * have not come back by then fail with {@link Code#LEFT}. {@link ChatFlow#join} joins again, even
   * while the leave is in progress: the last call wins.
   */
  CompletableFuture<Void> leave();
}
