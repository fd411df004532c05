package dev.chatflow.lab.beacons;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import dev.chatflow.shard.Headers;
import dev.chatflow.shard.people.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Servers at rest, so many on one broker: each has a connection, in which it reads the logs of all
 * shards, and says in each of them every four seconds that it is there. It costs little, for it
 * judges nothing that it reads.
 *
 * <p>Arguments: the broker's address, servers, shards. Answers each line of input by what was said
 * and read so far, as JSON, and ends with its input.
 */
final class Beacons {

  private static final long PERIOD_NANOS = 4_000_000_000L;

  /** Between two looks at what is due. */
  private static final long LOOK_NANOS = 5_000_000;

  private static final int PREFETCH = 64;
  private static final int ACK_EVERY = 16;

  private final List<Channel> speakers = new ArrayList<>();
  private final int shards;
  private final long boot = System.currentTimeMillis();
  private final long begunNanos = System.nanoTime();
  private final LongAdder said = new LongAdder();
  private final LongAdder read = new LongAdder();
  private long turn; // of the thread that speaks

  private Beacons(Connection[] connections, int shards) throws IOException {
    this.shards = shards;
    for (Connection connection : connections) {
      speakers.add(connection.createChannel());
      for (int shard = 0; shard < shards; shard++) {
        listen(connection.createChannel(), Topology.log(new Shard(shard)));
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(URI.create(arguments[0].split(",", -1)[0]));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    factory.setSharedExecutor(threads);
    Connection[] connections = new Connection[Integer.parseInt(arguments[1])];
    for (int i = 0; i < connections.length; i++) {
      connections[i] = factory.newConnection("chatflow lab, server " + i);
    }
    Beacons beacons = new Beacons(connections, Integer.parseInt(arguments[2]));
    ScheduledExecutorService speaking = Executors.newSingleThreadScheduledExecutor();
    var _ =
        speaking.scheduleAtFixedRate(beacons::sayWhatIsDue, 0, LOOK_NANOS, TimeUnit.NANOSECONDS);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    do {
      System.out.println(
          "{\"said\":" + beacons.said.sum() + ",\"read\":" + beacons.read.sum() + "}");
    } while (lines.readLine() != null);
    speaking.shutdownNow();
    for (Connection connection : connections) {
      connection.abort(1_000);
    }
    threads.shutdown();
  }

  private void listen(Channel channel, String log) throws IOException {
    channel.basicQos(PREFETCH);
    channel.basicConsume(
        log,
        false,
        Map.of(Topology.STREAM_OFFSET, "next"),
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
              throws IOException {
            read.increment();
            if (envelope.getDeliveryTag() % ACK_EVERY == 0) {
              channel.basicAck(envelope.getDeliveryTag(), true);
            }
          }
        });
  }

  /** One lane after the other, evenly over the period: all that are due by now. */
  private void sayWhatIsDue() {
    int lanes = speakers.size() * shards;
    try {
      for (; turn * ((double) PERIOD_NANOS / lanes) <= System.nanoTime() - begunNanos; turn++) {
        int lane = (int) (turn % lanes);
        say(lane / shards, lane % shards, turn / lanes + 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no more is said: connections are closed
    }
  }

  private void say(int server, int shard, long number) throws IOException {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Lane.HEADER, new Lane("lab-" + server, boot, shard).toString());
    headers.put(Lane.HEADER_NUMBER, number);
    headers.put(Headers.READ, number - 1);
    headers.put(Headers.TIME, System.currentTimeMillis());
    headers.put(Headers.MEMBERS, new Digest(number, 0, 0).toString());
    speakers
        .get(server)
        .basicPublish(
            Topology.EXCHANGE,
            Topology.routingKey(new Shard(shard)),
            new AMQP.BasicProperties.Builder().deliveryMode(2).headers(headers).build(),
            new byte[0]);
    said.increment();
  }
}
