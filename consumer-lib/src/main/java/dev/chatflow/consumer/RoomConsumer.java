package dev.chatflow.consumer;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.room.Rooms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consuming side of a server: brings every message of its shards from the broker to the rooms.
 *
 * <p>Runs the threads {@code chat-consumer-n}, each with a channel, a queue, its share of the
 * shards and their {@link Rooms}, which nobody else writes. Any thread may call.
 */
public final class RoomConsumer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RoomConsumer.class);

  /** For a thread to acknowledge and end; then it is interrupted. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final List<Rooms> rooms;
  private final List<ConsumerThread> roles = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Makes a consumer that does nothing before {@link #start}.
   *
   * @param links of all shards, by index
   * @param rooms of each consumer thread, by its number
   */
  public RoomConsumer(
      ConsumerConfig config,
      BrokerConnector connector,
      Sessions sessions,
      List<ShardLink> links,
      List<Rooms> rooms,
      ConsumerMeter meter) {
    if (links.size() != config.shards() || rooms.size() != config.threads()) {
      throw new IllegalArgumentException(
          "%d links for %d shards, %d rooms for %d threads"
              .formatted(links.size(), config.shards(), rooms.size(), config.threads()));
    }
    this.rooms = List.copyOf(rooms);
    for (int thread = 0; thread < config.threads(); thread++) {
      ConsumerThread role =
          new ConsumerThread(
              new ConsumerThread.Parts(
                  config, thread, connector, sessions, links, rooms.get(thread), meter));
      roles.add(role);
      threads.add(Thread.ofPlatform().name("chat-consumer-" + thread).unstarted(role));
    }
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /**
   * Completes when all threads have read their queues for the first time; fails with {@link
   * ShardMismatchException} when this process must not start, and is cancelled by {@link #close}.
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

  /** Why threads ended for good: the cluster has another number of shards; or null. */
  public @Nullable ShardMismatchException failure() {
    for (ConsumerThread role : roles) {
      ShardMismatchException failure = role.failure();
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  public List<Rooms> rooms() {
    return rooms;
  }

  /** Acknowledges what is in the rooms, deletes the queues, ends the threads; bounded in time. */
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
