package dev.chatflow.chat.link;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of what a room does, which refuses to be waited for on the room's own thread: that
 * thread would wait for itself, for ever. Any thread.
 */
public final class Answer<T> extends CompletableFuture<T> {

  private final Loop loop;

  /** One that is not done, of the room whose thread this is. */
  public Answer(Loop loop) {
    this.loop = loop;
  }

  private void requireElsewhere() {
    if (loop.isHere() && !isDone()) {
      throw new IllegalStateException(
          "a listener must not wait for its own room: use thenAccept or whenComplete, or wait on"
              + " another thread");
    }
  }

  @Override
  public T join() {
    requireElsewhere();
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    requireElsewhere();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    requireElsewhere();
    return super.get(timeout, unit);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Answer<>(loop);
  }
}
