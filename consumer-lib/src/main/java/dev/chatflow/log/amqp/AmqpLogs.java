package dev.chatflow.log.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.BlockOutlet;
import dev.chatflow.log.Entry;
import dev.chatflow.log.Headers;
import dev.chatflow.log.Inbox;
import dev.chatflow.log.Logs;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.room.Shard;
import dev.chatflow.support.BackOff;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards' logs over the AMQP client library. Called by the readers' threads; the connection's
 * threads put entries into the readers' inboxes.
 *
 * <p>On each new connection it declares the objects shared by all servers, then compares the number
 * of shards and holds it. If the numbers differ, no log is ever read.
 */
public final class AmqpLogs implements Logs {

  private static final Logger log = LoggerFactory.getLogger(AmqpLogs.class);
  private static final long CONFIRM_MILLIS = 5_000;
  private static final int RETRY_MILLIS = 200;

  /** Interval at which a server checks whether an exchange or the dead-letter queue was deleted. */
  private static final long RESTORE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final int MAX_RETRY_MILLIS = 1_000;

  /**
   * A reading that cannot be trusted is restarted; if it happens again within this time, the node
   * is at fault.
   */
  private static final long TWICE_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final Duration CHANCE = Duration.ofSeconds(9);

  private final BrokerConnector connector;
  private final int shards;
  private final @Nullable BlockOutlet blocks;
  private final Map<Shard, BlockCollector> collectors = new ConcurrentHashMap<>();
  private final Map<Shard, Long> doubtedNanos = new ConcurrentHashMap<>();
  private final Clocks clocks = new Clocks(System::currentTimeMillis, System::nanoTime);
  private final ClusterStatistics statistics = new ClusterStatistics();

  private volatile String trouble = "";
  private volatile @Nullable ShardMismatchException failure;

  // Guarded by this.
  private @Nullable Connection prepared;
  private long retryNanos = System.nanoTime();
  private long restoreNanos = System.nanoTime();
  private final BackOff retries = new BackOff(RETRY_MILLIS, MAX_RETRY_MILLIS);

  /**
   * Creates the logs.
   *
   * @param blocks publishes the blocks of a server, which also declares everything that is missing;
   *     null for a program that only reads
   */
  private AmqpLogs(BrokerConnector connector, int shards, @Nullable BlockOutlet blocks) {
    this.connector = connector;
    this.shards = shards;
    this.blocks = blocks;
  }

  /** Creates the logs for a server: it declares everything that is missing, and makes blocks. */
  public static AmqpLogs forServer(BrokerConnector connector, int shards, BlockOutlet blocks) {
    return new AmqpLogs(connector, shards, blocks);
  }

  /** Creates the logs for a program that only reads: it uses what the servers have declared. */
  public static AmqpLogs forReader(BrokerConnector connector, int shards) {
    return new AmqpLogs(connector, shards, null);
  }

  private boolean onlyReads() {
    return blocks == null;
  }

  @Override
  public synchronized boolean isOpen() {
    Connection open = connector.connection();
    if (open == null || !(open.equals(prepared) || prepare(open))) {
      return false;
    }
    restoreInTime(open);
    return true;
  }

  /** Restores deleted objects on a separate thread, so that readers do not wait. */
  private void restoreInTime(Connection open) {
    long now = System.nanoTime();
    if (!onlyReads() && now - restoreNanos >= 0) {
      restoreNanos = now + RESTORE_NANOS;
      Thread.ofVirtual().name("chat-restore").start(() -> restore(open));
    }
  }

  private void restore(Connection open) {
    try {
      Topology.restore(open, shards, connector.nodes());
      trouble = "";
    } catch (BrokerException e) {
      if (open.isOpen()) {
        report(String.valueOf(e.getMessage()));
      }
    }
  }

  private boolean prepare(Connection open) {
    long now = System.nanoTime();
    if (failure != null || now - retryNanos < 0) {
      return false;
    }
    try {
      declareShared(open);
      Topology.holdShards(open, () -> Thread.startVirtualThread(this::compareAgain));
      tellSize(open);
      prepared = open;
      trouble = "";
      retries.reset();
    } catch (ShardMismatchException e) {
      failure = e;
    } catch (BrokerException e) {
      retryNanos = now + TimeUnit.MILLISECONDS.toNanos(retries.nextMillis());
      report(String.valueOf(e.getMessage()));
      leaveIfSilent(e.getCause(), e.getMessage());
    }
    return open.equals(prepared);
  }

  private void declareShared(Connection open) throws BrokerException {
    if (!onlyReads()) {
      Topology.declareShared(open, shards, connector.nodes());
      Topology.declareLogs(open, shards, connector.nodes());
    } else if (!Topology.findShared(open, shards, connector.nodes())) {
      Topology.startShards(open, shards, connector.nodes());
    }
  }

  /**
   * Compares the number of shards again: its record was deleted, and there may be a different one
   * now. Not on the connection's thread, because a holder of the lock may wait for an answer that
   * only that thread receives.
   */
  private synchronized void compareAgain() {
    prepared = null;
  }

  /**
   * Logs the size of the logs once: operators compare it with the disk, which clients cannot see.
   */
  private void tellSize(Connection open) {
    if (prepared == null && Topology.hasStreams(open)) {
      log.info(
          "the logs of {} shards use up to {} MB of disk on each broker",
          shards,
          Topology.diskBytes(shards) / 1_000_000);
    }
  }

  private void report(String why) {
    if (!why.equals(trouble)) {
      log.warn("cannot use the broker, retrying: {}", why);
      trouble = why;
    }
  }

  /** Returns why no log can be read, for operators; empty without a problem. */
  public String trouble() {
    return connector.connection() == null ? connector.trouble() : trouble;
  }

  /** Returns the mismatch if the cluster has a different number of shards; else null. */
  public @Nullable ShardMismatchException failure() {
    return failure;
  }

  private Connection connection() throws BrokerException {
    Connection open = connector.connection();
    if (open == null) {
      throw new BrokerException("no broker connection: " + connector.trouble());
    }
    return open;
  }

  @Override
  public boolean haveOffsets() {
    Connection open = connector.connection();
    return open != null && Topology.hasStreams(open);
  }

  @Override
  public void ensure(Shard shard) throws BrokerException {
    declare(connection(), shard);
  }

  /**
   * Declares a log. A node that does not answer in time, for example because it is partitioned, is
   * left.
   */
  private void declare(Connection connection, Shard shard) throws BrokerException {
    try {
      if (onlyReads()) {
        Topology.findLog(connection, shard, connector.nodes());
      } else {
        Topology.declareLog(connection, shard, connector.nodes());
      }
    } catch (BrokerException e) {
      leaveIfSilent(e.getCause(), e.getMessage());
      throw e;
    }
  }

  private void leaveIfSilent(@Nullable Throwable failure, @Nullable String why) {
    if (failure instanceof ChannelContinuationTimeoutException) {
      connector.moveOn(CHANCE, String.valueOf(why));
    }
  }

  @Override
  public long entries(Shard shard) throws BrokerException {
    ensure(shard);
    return Topology.depth(connection(), Topology.log(shard));
  }

  @Override
  public Reading read(Shard shard, Start start, int prefetch, Inbox inbox) throws BrokerException {
    Connection connection = connection();
    declare(connection, shard);
    String log = Topology.log(shard);
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new BrokerException("no channel to read " + log);
      }
      AmqpReading open =
          new AmqpReading(
              channel, log, new EntryHeaders(shard), prefetch, inbox, new Received(shard));
      open.open(Topology.hasStreams(connection), start);
      return open;
    } catch (IOException | ShutdownSignalException e) {
      leaveIfSilent(e, e.getMessage());
      throw new BrokerException("cannot read " + log + ": " + BrokerReply.text(e), e);
    }
  }

  /** Takes statistics and blocks from what is read. */
  private final class Received implements AmqpReading.Receiver {
    private final Shard shard;
    private final @Nullable BlockCollector collector;

    Received(Shard shard) {
      this.shard = shard;
      BlockOutlet outlet = blocks;
      this.collector =
          outlet == null
              ? null
              : collectors.computeIfAbsent(shard, _ -> new BlockCollector(outlet::isOwn));
    }

    @Override
    public void past(Arrival arrival) {
      collect(arrival, false);
    }

    @Override
    public void live(Arrival arrival, AMQP.BasicProperties properties) {
      Entry entry = arrival.entry();
      if (entry != null) {
        clocks.sent(entry.lane().serverId(), properties.getTimestamp());
        statistics.read(
            entry.lane().serverId(),
            properties.getHeaders().get(Headers.STATISTICS),
            arrival.builtMillis(),
            arrival.arrivedNanos());
      }
      collect(arrival, true);
    }

    private void collect(Arrival arrival, boolean live) {
      BlockOutlet outlet = blocks;
      if (outlet == null || collector == null || arrival.offset() == Arrival.NO_OFFSET) {
        return;
      }
      byte[] block = collector.add(arrival, live);
      if (block != null) {
        Thread.startVirtualThread(() -> outlet.publish(shard, Block.compress(block)));
      }
    }
  }

  @Override
  public void doubted(Shard shard, String why) {
    long now = System.nanoTime();
    Long before = doubtedNanos.put(shard, now);
    if (before != null && now - before < TWICE_WITHIN_NANOS) {
      connector.moveOn(CHANCE, "shard " + shard.index() + ": " + why);
    }
  }

  /**
   * Publishes a line that was read long ago to the dead letters, on its own channel; waits for the
   * confirm.
   */
  public void sendDeadLetter(DeadLetter letter) throws BrokerException {
    try {
      Channel channel = connection().createChannel();
      if (channel == null) {
        throw new BrokerException("no channel to send a dead letter on");
      }
      try {
        channel.confirmSelect();
        publish(channel, letter);
        channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
      } finally {
        channel.abort();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerException("interrupted", e);
    } catch (IOException | ShutdownSignalException | TimeoutException e) {
      throw new BrokerException("cannot send a dead letter: " + BrokerReply.text(e), e);
    }
  }

  static void publish(Channel channel, DeadLetter letter) throws IOException {
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .deliveryMode(Topology.PERSISTENT)
            .headers(Map.of(Topology.HEADER_REASON, letter.reason()))
            .build();
    channel.basicPublish(Topology.DEAD_EXCHANGE, "", properties, letter.body());
  }

  /** Returns the comparison of this process's clock with those of the servers. */
  public Clocks clocks() {
    return clocks;
  }

  /** Returns the statistics of the servers whose entries are read. */
  public ClusterStatistics statistics() {
    return statistics;
  }
}
