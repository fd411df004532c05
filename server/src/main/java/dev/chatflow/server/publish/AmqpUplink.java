package dev.chatflow.server.publish;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Headers;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.Batch;
import dev.chatflow.message.LineWriter;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes over the pooled channels of one connection. An attempt holds a channel until its
 * outcome is known; a channel with an unknown outcome is discarded.
 *
 * <p>Thread-safe.
 */
public final class AmqpUplink implements Uplink, AutoCloseable {

  /**
   * Bounds of the channels.
   *
   * @param most maximum open at once; with one per lane no lane waits
   * @param ready number opened ahead, see {@link #fill}
   * @param maxWait maximum wait for a free channel
   * @param waited receives how long each attempt waited for its channel; must not park
   */
  public record Channels(int most, int ready, Duration maxWait, Consumer<Duration> waited) {}

  private static final Logger log = LoggerFactory.getLogger(AmqpUplink.class);

  private final BrokerConnector connector;
  private final Consumer<Duration> waited;
  private final LongSupplier clockMillis;
  private final StatisticsSchedule statistics;
  private final GenericObjectPool<Line> channels;

  /**
   * Creates it over a connection that its owner starts and closes.
   *
   * @param bounds of the channels
   * @param clockMillis the wall clock, for the messages' timestamps
   * @param statistics the statistics of this server for entries
   */
  AmqpUplink(
      BrokerConnector connector,
      Channels bounds,
      LongSupplier clockMillis,
      StatisticsSchedule statistics) {
    this.connector = connector;
    this.statistics = statistics;
    this.waited = bounds.waited();
    this.clockMillis = clockMillis;
    GenericObjectPoolConfig<Line> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(bounds.most());
    config.setMaxIdle(bounds.most());
    config.setMinIdle(Math.min(bounds.ready(), bounds.most()));
    config.setMaxWait(bounds.maxWait());
    config.setTestOnBorrow(true);
    config.setJmxEnabled(false);
    this.channels = new GenericObjectPool<>(new Factory(), config);
  }

  @Override
  public boolean isOpen() {
    return connector.connection() != null;
  }

  @Override
  public boolean isBlocked() {
    return connector.state() == BrokerConnector.State.BLOCKED;
  }

  /**
   * Opens channels ahead on a new connection, because those of an earlier one are dead. Parks its
   * caller for one answer of the broker per channel.
   */
  public void fill() {
    channels.clear();
    try {
      channels.preparePool();
    } catch (Exception _) { // declared by the pool
      // they are opened on demand
    }
  }

  @Override
  public Attempt send(LaneEntry entry, Consumer<Confirm> outcome) {
    long begun = System.nanoTime();
    Line line;
    try {
      line = channels.borrowObject();
    } catch (NoSuchElementException e) {
      outcome.accept(new Confirm.Lost("no channel free: " + e.getMessage()));
      return () -> {};
    } catch (Exception e) { // declared by the pool: it passes on exceptions of its factory
      outcome.accept(new Confirm.Lost("no channel: " + e.getMessage()));
      return () -> {};
    }
    waited.accept(Duration.ofNanos(System.nanoTime() - begun));
    return line.publish(entry, outcome);
  }

  /** Publishes a block; readers do without one that is lost. */
  void send(Shard shard, byte[] block) {
    try {
      Line line = channels.borrowObject();
      try {
        line.publish(shard, block);
      } finally {
        channels.returnObject(line);
      }
    } catch (Exception e) { // declared by the pool
      log.debug("no block of shard {} published: {}", shard.index(), e.getMessage());
    }
  }

  public int active() {
    return channels.getNumActive();
  }

  public int idle() {
    return channels.getNumIdle();
  }

  @Override
  public void close() {
    channels.close();
  }

  private final class Factory extends BasePooledObjectFactory<Line> {
    @Override
    public Line create() throws BrokerException {
      Connection open = connector.connection();
      try {
        Channel channel = open == null ? null : open.createChannel();
        if (channel == null) {
          throw new BrokerException("no channel available: " + connector.trouble());
        }
        return new Line(channel);
      } catch (IOException | ShutdownSignalException e) {
        throw new BrokerException("cannot open a channel: " + BrokerReply.text(e), e);
      }
    }

    @Override
    public PooledObject<Line> wrap(Line line) {
      return new DefaultPooledObject<>(line);
    }

    @Override
    public boolean validateObject(PooledObject<Line> pooled) {
      return pooled.getObject().channel.isOpen();
    }

    @Override
    public void destroyObject(PooledObject<Line> pooled) {
      pooled.getObject().abort();
    }
  }

  /** Waits for the outcome of the one entry in flight on a channel. */
  private record Pending(String messageId, long tag, Consumer<Confirm> outcome) {}

  /** A channel in confirm mode, with at most one entry in flight. */
  private final class Line implements ConfirmListener {
    private final Channel channel;
    private final AtomicReference<@Nullable Pending> pending = new AtomicReference<>();

    Line(Channel channel) throws IOException {
      this.channel = channel;
      channel.addConfirmListener(this);
      channel.addReturnListener(this::returned);
      channel.addShutdownListener(signal -> settle(pending.get(), failure(signal)));
      channel.confirmSelect();
    }

    Attempt publish(LaneEntry entry, Consumer<Confirm> outcome) {
      AMQP.BasicProperties properties = properties(entry);
      Pending mine = new Pending(properties.getMessageId(), channel.getNextPublishSeqNo(), outcome);
      pending.set(mine);
      try {
        channel.basicPublish(Topology.EXCHANGE, routingKey(entry), true, properties, entry.body());
      } catch (IOException | ShutdownSignalException e) {
        settle(mine, failure(e));
      }
      return () -> settle(mine, null);
    }

    void publish(Shard shard, byte[] block) throws IOException {
      channel.basicPublish(
          Topology.EXCHANGE,
          Topology.routingKey(shard),
          new AMQP.BasicProperties.Builder()
              .deliveryMode(Topology.PERSISTENT)
              .headers(Map.of(Headers.KIND, Headers.KIND_BLOCK))
              .build(),
          block);
    }

    @Override
    public void handleAck(long tag, boolean multiple) {
      settleIf(tag, multiple, new Confirm.Acked());
    }

    /**
     * Handles a nack. A return that follows has the reason; the lane publishes again either way.
     */
    @Override
    public void handleNack(long tag, boolean multiple) {
      settleIf(tag, multiple, new Confirm.Nacked());
    }

    private void settleIf(long tag, boolean multiple, Confirm confirm) {
      Pending now = pending.get();
      if (now != null && (multiple ? tag >= now.tag : tag == now.tag)) {
        settle(now, confirm);
      }
    }

    private void returned(Return back) {
      Pending now = pending.get();
      if (now != null && now.messageId.equals(back.getProperties().getMessageId())) {
        settle(now, new Confirm.Returned(back.getReplyText()));
      }
    }

    /**
     * Settles the outcome; only the first one counts, and the channel is reused only after a plain
     * ack.
     */
    private void settle(@Nullable Pending mine, @Nullable Confirm confirm) {
      if (mine == null || !pending.compareAndSet(mine, null)) {
        return;
      }
      if (confirm instanceof Confirm.Acked) {
        channels.returnObject(this);
      } else {
        discard();
      }
      if (confirm != null) {
        mine.outcome.accept(confirm);
      }
    }

    /**
     * Discards the channel on a separate thread, because the pool opens another one for a waiting
     * lane, and the caller may be the connection's own thread, which has to receive the broker's
     * answer to that.
     */
    private void discard() {
      Thread.startVirtualThread(() -> {
        try {
          channels.invalidateObject(this);
        } catch (Exception _) {
          // the channel is gone; the failure concerns a new one for a lane, which tries again
        }
      });
    }

    /**
     * Aborts the channel on a separate thread, because it waits for an answer of a broker that may
     * be unavailable.
     */
    void abort() {
      if (channel.isOpen()) {
        Thread.startVirtualThread(() -> {
          try {
            channel.abort();
          } catch (IOException | ShutdownSignalException _) {
            // closed is the goal
          }
        });
      }
    }
  }

  /**
   * Returns the outcome of a failure. A missing log or exchange closes the channel: nothing was
   * accepted, as with a return.
   */
  private static Confirm failure(Exception failure) {
    return BrokerReply.code(failure) == AMQP.NOT_FOUND
        ? new Confirm.Returned(BrokerReply.text(failure))
        : new Confirm.Lost(BrokerReply.text(failure));
  }

  private static String routingKey(LaneEntry entry) {
    Shard shard = new Shard(entry.lane().shard());
    return entry.onlyRoom() == null
        ? Topology.routingKey(shard)
        : Topology.routingKey(shard, entry.onlyRoom());
  }

  @SuppressWarnings("JavaUtilDate") // the client library's type
  private AMQP.BasicProperties properties(LaneEntry entry) {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Lane.HEADER, entry.lane().toString());
    headers.put(Lane.HEADER_NUMBER, entry.number());
    headers.put(Headers.READ, entry.read());
    headers.put(Headers.TIME, entry.timeMillis());
    addSignals(entry.presenceHeaders(), headers);
    String due = statistics.due(entry.lane().shard(), System.nanoTime());
    if (due != null) {
      headers.put(Headers.STATISTICS, due);
    }
    AMQP.BasicProperties.Builder properties =
        new AMQP.BasicProperties.Builder()
            .appId(entry.lane().serverId())
            .timestamp(new Date(clockMillis.getAsLong()))
            .deliveryMode(Topology.PERSISTENT);
    LaneEntry.Single single = entry.first();
    if (single != null) {
      properties
          .contentType(LineWriter.CONTENT_TYPE)
          .messageId(single.messageId())
          .type(String.valueOf(single.type()));
    } else {
      properties.messageId(entry.lane() + "/" + entry.number());
      if (entry.isPage()) {
        properties.contentType(LineWriter.CONTENT_TYPE);
        headers.put(Headers.KIND, Headers.KIND_PRESENCE);
      } else if (!entry.isBeacon()) {
        properties.contentType(Batch.CONTENT_TYPE);
        headers.put(Headers.COUNT, entry.lines());
      }
    }
    return properties.headers(headers).build();
  }

  private static void addSignals(PresenceHeaders presenceHeaders, Map<String, Object> headers) {
    if (presenceHeaders.request() > 0) {
      headers.put(Headers.SNAPSHOT_REQUEST, presenceHeaders.request());
    }
    if (presenceHeaders.members() != null) {
      headers.put(Headers.MEMBERS, presenceHeaders.members().toString());
    }
    if (!presenceHeaders.lostLanes().isEmpty()) {
      headers.put(
          Headers.LOST_LANES,
          presenceHeaders.lostLanes().stream()
              .map(Lane::toString)
              .collect(Collectors.joining(" ")));
    }
  }
}
