package dev.chatflow.consumer.room;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.room.Rooms;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The consuming side of a server: brings every message of its shards from the broker to the rooms.
 *
 * <p>Stateless. Each thread has its share of the shards and their {@link Rooms}, which nobody else
 * writes.
 */
public final class RoomConsumer {

  private RoomConsumer() {}

  /**
   * Makes the consumer threads of a server. A thread that ends deletes its queue.
   *
   * @param links of all shards, by index
   * @param rooms of each consumer thread, by its number
   */
  public static ConsumerThreads threads(
      ConsumerConfig config,
      BrokerConnector connector,
      Sessions sessions,
      List<ShardLink> links,
      List<Rooms> rooms,
      IntakeMeter meter) {
    if (links.size() != config.shards() || rooms.size() != config.threads()) {
      throw new IllegalArgumentException(
          "%d links for %d shards, %d rooms for %d threads"
              .formatted(links.size(), config.shards(), rooms.size(), config.threads()));
    }
    List<RoomDuty> duties =
        IntStream.range(0, config.threads())
            .mapToObj(thread ->
                new RoomDuty.Parts(config, thread, sessions, links, rooms.get(thread), meter))
            .map(RoomDuty::new)
            .toList();
    return new ConsumerThreads(config, connector, duties, meter);
  }
}
