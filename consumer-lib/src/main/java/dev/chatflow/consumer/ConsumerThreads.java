package dev.chatflow.consumer;

import dev.chatflow.broker.ShardMismatchException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads {@code chat-consumer-n} of one consumer, started and ended together. */
final class ConsumerThreads implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ConsumerThreads.class);

  /** For a thread to acknowledge and end; then it is interrupted. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final List<ConsumerThread> roles;
  private final List<Thread> threads;

  ConsumerThreads(List<ConsumerThread> roles) {
    this.roles = List.copyOf(roles);
    this.threads =
        roles.stream()
            .map(role -> Thread.ofPlatform().name("chat-consumer-" + role.number()).unstarted(role))
            .toList();
  }

  void start() {
    threads.forEach(Thread::start);
  }

  CompletableFuture<Void> started() {
    return CompletableFuture.allOf(
        roles.stream().map(ConsumerThread::started).toArray(CompletableFuture<?>[]::new));
  }

  boolean isReady() {
    return roles.stream().allMatch(ConsumerThread::isReady);
  }

  /** Why not all are ready, in words for an operator. */
  String trouble() {
    return roles.stream()
        .map(ConsumerThread::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("not begun yet");
  }

  @Nullable ShardMismatchException failure() {
    return roles.stream()
        .flatMap(role -> Stream.ofNullable(role.failure()))
        .findFirst()
        .orElse(null);
  }

  /** Ends the threads; bounded in time. */
  @Override
  public void close() {
    roles.forEach(ConsumerThread::stop);
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (Thread thread : threads) {
        if (!thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
          log.warn("{} does not end, interrupting it", thread.getName());
          thread.interrupt();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
