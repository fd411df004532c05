package dev.chatflow.lab.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Headers;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Writes more into a shard log than a short one keeps: 64 MB of entries that all servers skip. */
public final class Filler {

  private static final int ENTRY_BYTES = 100_000;
  private static final int ENTRIES = 640;

  /** Entries per batch. A reader receives the entries of a batch together. */
  private static final int TOGETHER = 20;

  /** Pause after each batch, so that readers keep up. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final long CONFIRM_MILLIS = 60_000;

  private Filler() {}

  /** Fills the log and waits for the broker's confirms. */
  public static void fill(Channel channel, Shard shard) throws IOException {
    AMQP.BasicProperties unknown =
        new AMQP.BasicProperties.Builder()
            .deliveryMode(Topology.PERSISTENT)
            .headers(Map.of(Headers.KIND, "filler"))
            .build();
    channel.confirmSelect();
    try {
      for (int i = 0; i < ENTRIES; i += TOGETHER) {
        for (int j = 0; j < TOGETHER; j++) {
          channel.basicPublish(
              Topology.EXCHANGE, Topology.routingKey(shard), unknown, new byte[ENTRY_BYTES]);
        }
        channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
        Pause.of(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (TimeoutException e) {
      throw new IOException("not confirmed", e);
    }
  }
}
