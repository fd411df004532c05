package dev.chatflow.chat;

import dev.chatflow.chat.link.Loop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds this user's texts until they come back, in the order written. Each one is sent with the
 * same frame until it is back or rejected. Used only by the room's thread, except {@link
 * #awaitPlace} and {@link #full}.
 */
final class Outbox {

  /** One text. Its frame is built when it is first sent and does not change. */
  private static final class Entry {
    private final String id;
    private final String text;
    private final Extras extras;
    private final CompletableFuture<Message> done;
    private @Nullable String frame;
    private boolean isLater; // rejected for now; sent again later

    private Entry(String id, String text, Extras extras, CompletableFuture<Message> done) {
      this.id = id;
      this.text = text;
      this.extras = extras;
      this.done = done;
    }
  }

  /** Builds the frame of a text. */
  interface Frame {
    String of(String id, String text, Extras extras);
  }

  private final Loop loop;
  private final int most;
  private final Frame frames;
  private final Consumer<String> sender;
  private final Semaphore places;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private Loop.Timer resend = Loop.Timer.NONE;
  private boolean isResendDue;

  /**
   * Creates an empty outbox.
   *
   * @param most maximum texts in flight
   * @param frames builds the frame of a text when it is first sent
   * @param sender sends a frame while the room is joined
   */
  Outbox(Loop loop, int most, Frame frames, Consumer<String> sender) {
    this.loop = loop;
    this.most = most;
    this.frames = frames;
    this.sender = sender;
    this.places = new Semaphore(most);
  }

  /**
   * Reserves a slot for one more text. Waits for it, except on the room's thread. Returns the error
   * if there is none.
   */
  @Nullable ChatException awaitPlace() {
    if (loop.isHere()) { // waiting would block the thread that frees slots
      return places.tryAcquire() ? null : full();
    }
    try {
      places.acquire();
      return null;
    } catch (InterruptedException ignored) {
      Thread.currentThread().interrupt();
      return new ChatException(Code.LEFT, "interrupted before it was sent");
    }
  }

  /** Returns the error of {@link #awaitPlace} if it would not wait and there is no slot. */
  @Nullable ChatException full() {
    return loop.isHere() && places.availablePermits() == 0
        ? new ChatException(Code.TOO_MANY, most + " texts have not come back yet: wait for some")
        : null;
  }

  /** Adds a text that has a slot; {@link #send} sends it. */
  void add(String id, String text, Extras extras, CompletableFuture<Message> done) {
    entries.put(id, new Entry(id, text, extras, done));
  }

  /**
   * Sends one text if it is still here. A text that was written before it and waits to be sent
   * again goes first, so that the order is kept.
   */
  void send(String id) {
    Entry entry = entries.get(id);
    if (entry != null && isResendDue) {
      entry.isLater = true;
    } else if (entry != null) {
      send(entry);
    }
  }

  private void send(Entry entry) {
    String frame =
        entry.frame == null ? frames.of(entry.id, entry.text, entry.extras) : entry.frame;
    entry.frame = frame;
    entry.isLater = false;
    sender.accept(frame);
  }

  /** Sends all texts, including those that were sent before. */
  void sendAll() {
    inOrder().forEach(this::send);
  }

  /**
   * Sends a text again after {@code delay} ms. All texts share one timer, which keeps their order.
   */
  void sendLater(String id, long delay) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return;
    }
    entry.isLater = true;
    if (!isResendDue) {
      isResendDue = true;
      resend =
          loop.after(
              delay,
              () -> {
                isResendDue = false;
                inOrder().stream().filter(late -> late.isLater).forEach(this::send);
              });
    }
  }

  /** Stops sending: the connection is lost. */
  void rest() {
    resend.cancel();
    isResendDue = false;
  }

  /** Completes the text: it is in the room. */
  void back(Message message) {
    Entry entry = remove(message.id());
    if (entry != null) {
      entry.done.complete(message);
    }
  }

  void refuse(String id, ChatException why) {
    Entry entry = remove(id);
    if (entry != null) {
      entry.done.completeExceptionally(why);
    }
  }

  void refuseAll(Supplier<ChatException> why) {
    inOrder().forEach(entry -> refuse(entry.id, why.get()));
  }

  /** Fails the texts that were sent and may or may not be in the room. */
  void refuseSent(Supplier<ChatException> why) {
    inOrder().stream()
        .filter(entry -> entry.frame != null)
        .forEach(entry -> refuse(entry.id, why.get()));
  }

  private @Nullable Entry remove(String id) {
    Entry entry = entries.remove(id);
    if (entry != null) {
      places.release();
    }
    return entry;
  }

  private List<Entry> inOrder() {
    return List.copyOf(entries.values());
  }
}
