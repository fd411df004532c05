package dev.chatflow.chat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
   * Returns a future that completes as soon as the room has been joined once. It fails if the room
   * stops or is left before: the cause is a {@link ChatException} with the code of {@link
   * State.Stopped}, or {@link Code#LEFT}. Dependent stages run on the room's thread.
   */
  CompletableFuture<Void> entered();

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

  /** Returns why {@code send(text)} would fail at once, like {@link #wrong(String, Extras)}. */
  default Optional<ChatException> wrong(String text) {
    return wrong(text, Extras.NONE);
  }

  /**
   * Returns why {@link #send(String, Extras)} would fail at once, for example to check a form.
   * Sends nothing and never blocks.
   *
   * @return {@link Code#VALIDATION_FAILED} if it would throw; {@link Code#LEFT}; in a listener also
   *     {@link Code#TOO_MANY}, because {@code send} waits on other threads; empty if none applies
   */
  Optional<ChatException> wrong(String text, Extras extras);

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

  /**
   * Returns all members, including those that {@link #people} does not name, read over HTTP in
   * pages of 1,000. The calling thread waits for the first page, the thread that reads the stream
   * for each later one, up to 30 s. Both may get these exceptions:
   *
   * @throws java.util.concurrent.CompletionException if a page cannot be read; the cause is a
   *     {@link ChatException} if the server rejected the request, otherwise an {@link
   *     java.io.IOException}
   * @throws IllegalStateException in a listener, because it must not wait
   */
  Stream<Member> everybody();

  State state();

  /**
   * Leaves the room. The future completes when the room has seen the LEAVE, within 3 s. Texts that
   * have not come back by then fail with {@link Code#LEFT}. {@link ChatFlow#join} joins again, even
   * while the leave is in progress: the last call wins.
   */
  CompletableFuture<Void> leave();
}
