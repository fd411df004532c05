package dev.chatflow.broker;

import dev.chatflow.support.UncaughtHandler;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/**
 * Creates the threads of the client library, which stops them without waiting, and waits for their
 * end.
 *
 * <p>Thread-safe. Tracks a few threads per open connection and drops ended ones.
 */
final class ClientThreads implements ThreadFactory {

  private final ThreadFactory factory;
  private final Set<Thread> threads = new HashSet<>();

  ClientThreads(String prefix) {
    this.factory =
        Thread.ofPlatform()
            .name(prefix, 0)
            .daemon()
            .uncaughtExceptionHandler(new UncaughtHandler())
            .factory();
  }

  @Override
  public synchronized Thread newThread(Runnable task) {
    threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
    Thread thread = factory.newThread(task);
    threads.add(thread);
    return thread;
  }

  /** Waits for the end of all running threads; false if one still runs after {@code patience}. */
  boolean awaitEnd(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (Thread thread : running()) {
      if (!thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  private synchronized List<Thread> running() {
    return threads.stream().filter(Thread::isAlive).toList();
  }
}
