package dev.chatflow.chat;

import dev.chatflow.chat.link.Loop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Own texts that have not come back, in the order written: each is sent with the same frame until
 * it is back or refused. Of its room's thread, but for {@link #awaitPlace}.
 */
final class Outbox {

  /** One text; its frame is made when it is first sent, and is the same each time. */
  private static final class Entry {
    private final String id;
    private final String text;
    private final CompletableFuture<Message> done;
    private @Nullable String frame;
    private boolean isLater; // refused for now, to be sent again in a while

    private Entry(String id, String text, CompletableFuture<Message> done) {
      this.id = id;
      this.text = text;
      this.done = done;
    }
  }

  private final Loop loop;
  private final int most;
  private final BinaryOperator<String> frames;
  private final Consumer<String> way;
  private final Semaphore places;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private Loop.Timer resend = Loop.Timer.NONE;
  private boolean isResendDue;

  /**
   * An empty one.
   *
   * @param most texts under way
   * @param frames makes a frame of an id and a text
   * @param way sends a frame to the room, which one is in then
   */
  Outbox(Loop loop, int most, BinaryOperator<String> frames, Consumer<String> way) {
    this.loop = loop;
    this.most = most;
    this.frames = frames;
    this.way = way;
    this.places = new Semaphore(most);
  }

  /** Takes a place for one more, and waits for it on other threads than the room's; or why not. */
  @Nullable ChatException awaitPlace() {
    if (loop.isHere()) { // nothing could come back while it waits
      return places.tryAcquire()
          ? null
          : new ChatException(
              ChatException.TOO_MANY, most + " texts have not come back yet: wait for some");
    }
    try {
      places.acquire();
      return null;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new ChatException(ChatException.LEFT, "interrupted before it was sent");
    }
  }

  /** Adds a text that has a place; {@link #send} sends it. */
  void add(String id, String text, CompletableFuture<Message> done) {
    entries.put(id, new Entry(id, text, done));
  }

  /**
   * Sends one, when it is still here; behind an earlier one that is to be sent again in a while, so
   * that a sender's texts keep their order.
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
    String frame = entry.frame == null ? frames.apply(entry.id, entry.text) : entry.frame;
    entry.frame = frame;
    entry.isLater = false;
    way.accept(frame);
  }

  /** Sends all, those again that were sent before. */
  void sendAll() {
    inOrder().forEach(this::send);
  }

  /** Sends one again after so many ms; one timer for all, so that they keep their order. */
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

  /** The way is lost: nothing is sent by itself any more. */
  void rest() {
    resend.cancel();
    isResendDue = false;
  }

  /** It is in the room. */
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

  /** Those that were sent: whether the room has them, nobody knows. */
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
