package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads texts of a room from before the known ones. Used only by the room's thread. */
public final class History {

  /** Fetches pages from a server. */
  public interface Pages {

    /**
     * Returns up to {@code count} frames before the named one, oldest first. An empty page means
     * that the server keeps no earlier frame. Blocks.
     */
    List<JsonObject> before(JsonObject name, int count) throws Exception;
  }

  private record Page(List<JsonObject> texts, @Nullable JsonObject first) {}

  private static final Page NOTHING = new Page(List.of(), null);

  private final Loop loop;
  private final Pages pages;
  private @Nullable JsonObject oldest; // the first frame known
  private boolean isReadToTheEnd;
  private CompletableFuture<?> previous = CompletableFuture.completedFuture(null);

  public History(Loop loop, Pages pages) {
    this.loop = loop;
    this.pages = pages;
  }

  /** Notes a frame that was shown: {@link #older} starts at the first one. */
  public void shown(JsonObject name) {
    if (oldest == null) {
      oldest = name;
    }
  }

  /**
   * Returns texts from before the first known one. Each call continues where the last one ended.
   */
  public CompletableFuture<List<JsonObject>> older(int count) {
    return afterPrevious(() ->
        isReadToTheEnd || oldest == null
            ? CompletableFuture.completedFuture(List.of())
            : texts(oldest, count).thenApply(this::goBackTo));
  }

  private List<JsonObject> goBackTo(Page page) {
    isReadToTheEnd = page.first == null;
    oldest = page.first == null ? oldest : page.first;
    return page.texts;
  }

  /** Returns texts from before the named frame. */
  public CompletableFuture<List<JsonObject>> before(JsonObject name, int count) {
    return afterPrevious(() -> texts(name, count).thenApply(Page::texts));
  }

  /** Runs calls one after another, so that each continues where the previous one ended. */
  private CompletableFuture<List<JsonObject>> afterPrevious(
      Supplier<CompletableFuture<List<JsonObject>>> read) {
    CompletableFuture<List<JsonObject>> texts =
        previous.handle((ignored, failure) -> read).thenCompose(Supplier::get);
    previous = texts;
    return texts;
  }

  /** Skips pages that hold only JOINs and LEAVEs. */
  private CompletableFuture<Page> texts(JsonObject before, int count) {
    CompletableFuture<List<JsonObject>> page = new CompletableFuture<>();
    loop.aside(() -> pages.before(before, count), page::complete, page::completeExceptionally);
    return page.thenCompose(frames -> {
      if (frames.isEmpty()) {
        return CompletableFuture.completedFuture(NOTHING);
      }
      JsonObject first = Frames.nameOf(frames.getFirst());
      List<JsonObject> texts = frames.stream().filter(Frames::isText).toList();
      return texts.isEmpty()
          ? texts(first, count)
          : CompletableFuture.completedFuture(new Page(texts, first));
    });
  }
}
