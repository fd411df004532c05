package dev.chatflow.consumer.room;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Topology;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.DeadLetter;
import dev.chatflow.consumer.Delivery;
import dev.chatflow.consumer.Duty;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.room.Rooms;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A server's duty: its own queue, which its lanes bind, to the rooms of one thread's shards.
 *
 * <p>Belongs to the consumer thread.
 */
final class RoomDuty implements Duty {

  /**
   * What it works with.
   *
   * @param thread its number, from 0
   * @param links of all shards, by index
   * @param rooms of this thread alone
   */
  record Parts(
      ConsumerConfig config,
      int thread,
      Sessions sessions,
      List<ShardLink> links,
      Rooms rooms,
      IntakeMeter meter) {

    boolean hasShard(int shard) {
      return config.hasShard(thread, shard);
    }

    List<ShardLink> ownLinks() {
      return links.stream().filter(link -> hasShard(link.shard().index())).toList();
    }
  }

  private final Parts parts;
  private final String queue;
  private final List<ShardLink> links;
  private final Watchdog watchdog;
  private final Intake intake;
  private int incarnation;

  RoomDuty(Parts parts) {
    this.parts = parts;
    this.queue =
        Topology.queue(parts.config().serverId(), parts.config().bootEpoch(), parts.thread());
    this.links = parts.ownLinks();
    this.watchdog = new Watchdog(links, System.nanoTime());
    this.intake = new Intake(parts, watchdog);
  }

  @Override
  public String queue() {
    return queue;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  @Override
  public boolean deletesQueue() {
    return true;
  }

  @Override
  public void declare(Connection connection) throws BrokerException {
    Topology.declareShared(connection, parts.config().shards());
    if (Topology.declareQueue(connection, queue)) {
      created();
    }
  }

  /** A queue that had to be made anew: with the old one went what nobody had read. */
  private void created() {
    incarnation++;
    if (incarnation > 1) {
      links.stream().filter(link -> link.generation() > 0).forEach(intake::continuityLost);
    }
  }

  @Override
  public void opened(int epoch) {
    intake.reopened();
    OwnQueue open = new OwnQueue(queue, epoch, incarnation);
    links.forEach(link -> link.queueOpen(open));
  }

  @Override
  public void closed() {
    links.forEach(ShardLink::queueClosed);
  }

  @Override
  public void take(Delivery delivery, long nowMillis) {
    intake.take(delivery, nowMillis);
  }

  @Override
  public Queue<DeadLetter> deadLetters() {
    return intake.deadLetters();
  }

  /** Rooms need their time also while nothing is delivered. */
  @Override
  public void tick(long nowMillis) {
    parts.rooms().tick(nowMillis);
    links.forEach(link -> link.members(parts.rooms().memberCount(link.shard())));
  }

  @Override
  public @Nullable String wrong(boolean idle) {
    boolean attention = false;
    for (ShardLink link : links) {
      attention |= link.takeAttention();
    }
    return attention ? "a lane saw it gone" : watchdog.missing(System.nanoTime(), idle);
  }
}
