package dev.chatflow.lab.record;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Headers;
import dev.chatflow.message.Batch;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Publishes messages to one shard as a server's lane does: one entry in the air until the broker
 * has it, and what is due by then is the next one. One thread.
 */
final class SpokenLane implements AutoCloseable {

  private static final long CONFIRM_MILLIS = 60_000;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final String TEXT =
      "the boat leaves early today so bring coffee and a map of the harbour";

  private final Shard shard;
  private final String name;
  private final List<RoomId> rooms;
  private final Channel channel;
  private final Batch batch = new Batch();
  private long number;
  private long said;
  private long mostLateNanos;

  /**
   * Begins at the lane's first entry.
   *
   * @param boot tells this lane from those before it
   */
  SpokenLane(Connection connection, Shard shard, int shards, long boot) throws IOException {
    this.shard = shard;
    this.name = "bench/" + boot + "/" + shard.index();
    this.rooms =
        LongStream.range(0, Speech.ROOMS)
            .mapToObj(each -> new RoomId(Speech.room(each)))
            .filter(room -> Shard.of(room, shards).equals(shard))
            .toList();
    this.channel = connection.createChannel();
    channel.confirmSelect();
  }

  /** Says so many messages a second for a time; says all that is due by its end. */
  void say(double rate, long nanos) throws IOException, InterruptedException, TimeoutException {
    long begun = System.nanoTime();
    long before = said;
    long all = (long) (rate * (nanos / 1e9));
    while (said - before < all) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      long due = Math.min(all, (long) (rate * seconds)) - (said - before);
      if (due <= 0) {
        LockSupport.parkNanos(TICK_NANOS);
        continue;
      }
      double oldest = (said - before) / rate;
      publish(due);
      mostLateNanos = Math.max(mostLateNanos, (long) ((seconds - oldest) * 1e9));
    }
  }

  private void publish(long due) throws IOException, InterruptedException, TimeoutException {
    long now = System.currentTimeMillis();
    batch.clear();
    for (long i = 0; i < due; i++) {
      ChatMessage message = message(now);
      byte[] line = LineWriter.line(message);
      if (!batch.fits(line)) {
        break;
      }
      batch.add(message.room(), line);
      said++;
    }
    Map<String, Object> headers =
        Map.of(
            Lane.HEADER, name,
            Lane.HEADER_NUMBER, number + 1,
            Headers.READ, number,
            Headers.TIME, now);
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .contentType(Batch.CONTENT_TYPE)
            .deliveryMode(Topology.PERSISTENT)
            .headers(headers)
            .build();
    channel.basicPublish(Topology.EXCHANGE, Topology.routingKey(shard), properties, batch.body());
    channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
    number++;
  }

  private ChatMessage message(long now) {
    long user = said % Speech.USERS;
    ClientMessage content =
        new ClientMessage(
            MessageType.TEXT,
            Long.toString(user + 1),
            Speech.username(user),
            TEXT,
            Instant.ofEpochMilli(now).toString(),
            shard.index() + "-" + said);
    RoomId room = rooms.get((int) (user % rooms.size()));
    ChatMessage.Origin origin = new ChatMessage.Origin("bench", "", "");
    return new ChatMessage(content, room, now, origin, false);
  }

  long said() {
    return said;
  }

  /** How long the one that waited longest was due before it was published. */
  long mostLateNanos() {
    return mostLateNanos;
  }

  @Override
  public void close() throws IOException, TimeoutException {
    channel.close();
  }
}
