package dev.chatflow.chat.link;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one thread on which everything of a room happens, in order, and its clock.
 *
 * <p>Any thread may hand something in.
 */
public interface Loop {

  /** Something that is to happen later. */
  @FunctionalInterface
  interface Timer {
    Timer NONE = () -> {};

    /** It does not happen any more; on the thread of the room. */
    void cancel();
  }

  /** Runs it behind what was handed in before. */
  void execute(Runnable task);

  /** Runs it after so many ms. */
  Timer after(long millis, Runnable task);

  /** Runs on another thread what may wait, and here what it leads to. */
  <T extends @Nullable Object> void aside(
      Callable<T> slow, Consumer<T> then, Consumer<Exception> otherwise);

  /** Ms since 1970. */
  long now();

  /** Ms that have passed since some moment: unlike {@link #now} it never jumps. */
  long elapsed();

  /** A number in [0, 1), another one each time. */
  double chance();

  /** Whether this is the thread of the room. */
  boolean isHere();
}
