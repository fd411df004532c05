package dev.chatflow.chat.link;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A future of this library. Waiting for it on a room's thread throws, because the thread would wait
 * for itself or stop reading its connection. Thread-safe.
 */
public final class Answer<T> extends CompletableFuture<T> {

  private final BooleanSupplier onRoomThread;

  /**
   * Creates a future that is not completed.
   *
   * @param onRoomThread returns whether the calling thread must not wait
   */
  public Answer(BooleanSupplier onRoomThread) {
    this.onRoomThread = onRoomThread;
  }

  private void requireElsewhere() {
    if (!isDone() && onRoomThread.getAsBoolean()) {
      throw new IllegalStateException(
          "a listener must not wait: its thread is the one that receives the answer."
              + " Use thenAccept or whenComplete, or wait on another thread");
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
    return new Answer<>(onRoomThread);
  }
}
