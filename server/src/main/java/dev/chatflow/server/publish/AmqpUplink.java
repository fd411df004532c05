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
import dev.chatflow.log.Signals;
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

/**
 * The uplink over the pooled channels of one connection: an attempt holds a channel until its
 * outcome is known; one whose outcome stayed open is given up with it.
 *
 * <p>Any thread.
 */
public final class AmqpUplink implements Uplink, AutoCloseable {

  /**
   * Bounds of the channels.
   *
   * @param most open at once; with as many as lanes nobody waits for one
   * @param ready opened ahead, see {@link #fill}
   * @param maxWait for one that is free
   * @param waited told how long each attempt waited for its channel; must not park
   */
  public record Channels(int most, int ready, Duration maxWait, Consumer<Duration> waited) {}

  private final BrokerConnector connector;
  private final Consumer<Duration> waited;
  private final LongSupplier clockMillis;
  private final StatisticsSchedule statistics;
  private final GenericObjectPool<Line> channels;

  /**
   * Makes it over a connection that its owner starts and closes.
   *
   * @param bounds of the channels
   * @param clockMillis the wall clock, for the messages' timestamps
   * @param statistics what entries say of this server
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
   * Opens channels ahead, as many as are to be ready, on a connection just made: those of an
   * earlier one are dead. Parks its caller for as many answers of the broker.
   */
  public void fill() {
    channels.clear();
    try {
      channels.preparePool();
    } catch (Exception _) { // what the pool declares
      // They are opened when they are needed.
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
    } catch (Exception e) { // what the pool declares: it passes on what its factory throws
      outcome.accept(new Confirm.Lost("no channel: " + e.getMessage()));
      return () -> {};
    }
    waited.accept(Duration.ofNanos(System.nanoTime() - begun));
    return line.publish(entry, outcome);
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
          throw new BrokerException("no channel to be had: " + connector.trouble());
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

  /** What waits for the outcome of the one entry that is under way on a channel. */
  private record Pending(String messageId, long tag, Consumer<Confirm> outcome) {}

  /** A channel in confirm mode, with at most one entry under way. */
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

    @Override
    public void handleAck(long tag, boolean multiple) {
      settleIf(tag, multiple, new Confirm.Acked());
    }

    /** A return that comes behind it says more; the lane publishes again either way. */
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

    /** The first word counts; the channel is used again only when all that it said is an ack. */
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
     * On a thread of its own: the pool opens another channel for a lane that waits for one, and the
     * caller may be the connection's own thread, which alone brings the broker's answer to that.
     */
    private void discard() {
      Thread.startVirtualThread(() -> {
        try {
          channels.invalidateObject(this);
        } catch (Exception _) {
          // The channel is gone; what failed is another one for a lane, which tries again.
        }
      });
    }

    /** On a thread of its own, because it waits for an answer of a broker that may be gone. */
    void abort() {
      if (channel.isOpen()) {
        Thread.startVirtualThread(() -> {
          try {
            channel.abort();
          } catch (IOException | ShutdownSignalException _) {
            // Closed is what we wanted.
          }
        });
      }
    }
  }

  /** A missing log or exchange closes the channel: nothing was taken, as with a return. */
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
    addSignals(entry.signals(), headers);
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

  private static void addSignals(Signals signals, Map<String, Object> headers) {
    if (signals.request() > 0) {
      headers.put(Headers.SNAPSHOT_REQUEST, signals.request());
    }
    if (signals.members() != null) {
      headers.put(Headers.MEMBERS, signals.members().toString());
    }
    if (!signals.lostLanes().isEmpty()) {
      headers.put(
          Headers.LOST_LANES,
          signals.lostLanes().stream().map(Lane::toString).collect(Collectors.joining(" ")));
    }
  }
}
