package dev.chatflow.consumer;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.time.LastResort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads {@code chat-consumer-n} of a process, each with a channel and a queue of its own,
 * started and ended together.
 *
 * <p>Any thread may call.
 */
public final class ConsumerThreads implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ConsumerThreads.class);

  /** For a thread to acknowledge and end; then it is interrupted. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final List<ConsumerThread> roles;
  private final List<Thread> threads;

  /**
   * Makes threads that do nothing before {@link #start}.
   *
   * @param duties what each reads and what becomes of it, by the thread's number
   */
  public ConsumerThreads(
      ConsumerConfig config,
      BrokerConnector connector,
      List<? extends Duty> duties,
      ConsumerMeter meter) {
    this.roles =
        IntStream.range(0, config.threads())
            .mapToObj(thread ->
                new ConsumerThread(thread, connector, config.prefetch(), duties.get(thread), meter))
            .toList();
    this.threads =
        roles.stream()
            .map(role ->
                Thread.ofPlatform()
                    .name("chat-consumer-" + role.number())
                    .uncaughtExceptionHandler(new LastResort())
                    .unstarted(role))
            .toList();
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /**
   * Completes when all threads have read their queues for the first time; fails with {@link
   * ShardMismatchException} when this process must not run, and is cancelled by {@link #close}.
   * Waits as long as the broker is away.
   */
  public CompletableFuture<Void> started() {
    return CompletableFuture.allOf(
        roles.stream().map(ConsumerThread::started).toArray(CompletableFuture<?>[]::new));
  }

  /** Whether all threads have an open channel that reads. */
  public boolean isReady() {
    return roles.stream().allMatch(ConsumerThread::isReady);
  }

  /** While not all threads are ready: why, in words for an operator. */
  public String trouble() {
    return roles.stream()
        .map(ConsumerThread::trouble)
        .filter(trouble -> !trouble.isEmpty())
        .findFirst()
        .orElse("not begun yet");
  }

  /** Why threads ended for good: the cluster has another number of shards; or null. */
  public @Nullable ShardMismatchException failure() {
    return roles.stream()
        .flatMap(role -> Stream.ofNullable(role.failure()))
        .findFirst()
        .orElse(null);
  }

  /** Takes and acknowledges what was handed over, ends the threads; bounded in time. */
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
