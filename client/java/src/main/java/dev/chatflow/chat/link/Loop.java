package dev.chatflow.chat.link;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The single thread that runs everything of a room, in order, with its clock.
 *
 * <p>Any thread may hand in a task.
 */
public interface Loop {

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {
    Timer NONE = () -> {};

    /** Cancels the task. Call it on the room's thread. */
    void cancel();
  }

  /** Runs the task after all that were handed in before. */
  void execute(Runnable task);

  /** Runs the task after {@code millis} ms. */
  Timer after(long millis, Runnable task);

  /** Runs {@code slow} on another thread and its continuation on this one. */
  <T extends @Nullable Object> void aside(
      Callable<T> slow, Consumer<T> then, Consumer<Exception> otherwise);

  /** Returns the wall-clock time in ms since 1970. */
  long now();

  /** Returns monotonic time in ms: unlike {@link #now} it never jumps. */
  long elapsed();

  /** Returns a random number in [0, 1). */
  double chance();

  /** Returns whether the caller runs on the room's thread. */
  boolean isHere();
}
