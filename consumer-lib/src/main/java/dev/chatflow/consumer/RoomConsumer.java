package dev.chatflow.consumer;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.room.Rooms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The consuming side of a server: brings every message of its shards from the broker to the rooms.
 *
 * <p>Runs the threads {@code chat-consumer-n}, each with a channel, a queue, its share of the
 * shards and their {@link Rooms}, which nobody else writes. Any thread may call.
 */
public final class RoomConsumer implements AutoCloseable {

  private final List<Rooms> rooms;
  private final ConsumerThreads threads;

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
    List<ConsumerThread> roles = new ArrayList<>();
    for (int thread = 0; thread < config.threads(); thread++) {
      Duty duty =
          new RoomDuty(
              new RoomDuty.Parts(config, thread, sessions, links, rooms.get(thread), meter));
      roles.add(new ConsumerThread(thread, connector, config.prefetch(), duty, meter));
    }
    threads = new ConsumerThreads(roles);
  }

  public void start() {
    threads.start();
  }

  /**
   * Completes when all threads have read their queues for the first time; fails with {@link
   * ShardMismatchException} when this process must not start, and is cancelled by {@link #close}.
   * Waits as long as the broker is away.
   */
  public CompletableFuture<Void> started() {
    return threads.started();
  }

  /** Whether all threads have an open channel that reads. */
  public boolean isReady() {
    return threads.isReady();
  }

  /** While not all threads are ready: why, in words for an operator. */
  public String trouble() {
    return threads.trouble();
  }

  /** Why threads ended for good: the cluster has another number of shards; or null. */
  public @Nullable ShardMismatchException failure() {
    return threads.failure();
  }

  public List<Rooms> rooms() {
    return rooms;
  }

  /** Acknowledges what is in the rooms, deletes the queues, ends the threads; bounded in time. */
  @Override
  public void close() {
    threads.close();
  }
}
