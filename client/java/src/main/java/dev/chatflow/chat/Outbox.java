package dev.chatflow.chat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Own texts that have not come back, in the order written. Of its room's thread. */
final class Outbox {

  /** One text; its frame is made when it is first sent, and is the same each time. */
  static final class Entry {
    final String id;
    final String text;
    final CompletableFuture<Message> done;
    @Nullable String frame;
    boolean isLater; // refused for now, to be sent again in a while

    Entry(String id, String text, CompletableFuture<Message> done) {
      this.id = id;
      this.text = text;
      this.done = done;
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  void add(Entry entry) {
    entries.put(entry.id, entry);
  }

  @Nullable Entry find(String id) {
    return entries.get(id);
  }

  /** Takes out what came back or was refused; null when it is not here any more. */
  @Nullable Entry settle(String id) {
    return entries.remove(id);
  }

  List<Entry> inOrder() {
    return List.copyOf(entries.values());
  }
}
