package dev.chatflow.server.simulation;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Runs seeds on a few threads to find the first that fails. */
record Seeds(long base, long count) {

  /** No seed fails. */
  static final long NONE = -1;

  private static final int THREADS = Integer.getInteger("simulation.threads", 2);

  /**
   * Runs them until one fails.
   *
   * @param judge returns why a seed fails; empty if it holds
   * @return the number of seeds before the first that fails, or {@link #NONE}
   */
  long firstFailing(LongFunction<String> judge) {
    AtomicLong next = new AtomicLong();
    AtomicLong found = new AtomicLong(count);
    Callable<Boolean> work =
        () -> {
          for (long n = next.getAndIncrement(); n < found.get(); n = next.getAndIncrement()) {
            if (!judge.apply(base + n).isEmpty()) {
              found.accumulateAndGet(n, Math::min);
            }
          }
          return true;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Boolean> done : threads.invokeAll(Collections.nCopies(THREADS, work))) {
        boolean _ = done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a seed could not be run", e);
    }
    return found.get() == count ? NONE : found.get();
  }
}
