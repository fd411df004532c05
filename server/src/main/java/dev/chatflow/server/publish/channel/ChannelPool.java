package dev.chatflow.server.publish.channel;

import dev.chatflow.broker.BrokerException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels of the publisher connection, lent to one holder at a time.
 *
 * <p>Any thread. Lanes hold at most one each, so more channels than shards stay unused. A channel
 * is checked when it is lent, and given up unless its holder says that nothing is left in doubt.
 */
public final class ChannelPool implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ChannelPool.class);

  /**
   * How many channels, and how patient.
   *
   * @param channels most channels open at once
   * @param ready so many are opened ahead
   * @param maxWait how long a holder waits for one
   */
  public record Bounds(int channels, int ready, Duration maxWait) {}

  /** A channel in the hands of one holder, until it is closed. */
  public final class Lease implements AutoCloseable {
    private final PooledChannel channel;
    private boolean kept;

    private Lease(PooledChannel channel) {
      this.channel = channel;
    }

    public PooledChannel channel() {
      return channel;
    }

    /** Nothing is under way or in doubt on the channel: the next holder may have it. */
    public void keep() {
      kept = true;
    }

    @Override
    public void close() {
      if (kept) {
        channels.returnObject(channel);
      } else {
        discard(channel);
      }
    }
  }

  private static final class Factory extends BasePooledObjectFactory<PooledChannel> {
    private final Uplink uplink;

    Factory(Uplink uplink) {
      this.uplink = uplink;
    }

    @Override
    public PooledChannel create() throws BrokerException {
      return uplink.openChannel();
    }

    @Override
    public PooledObject<PooledChannel> wrap(PooledChannel channel) {
      return new DefaultPooledObject<>(channel);
    }

    @Override
    public boolean validateObject(PooledObject<PooledChannel> pooled) {
      return pooled.getObject().isOpen();
    }

    @Override
    public void destroyObject(PooledObject<PooledChannel> pooled) {
      pooled.getObject().close();
    }
  }

  private final GenericObjectPool<PooledChannel> channels;
  private final Duration maxWait;
  private final Consumer<Duration> waited;

  /**
   * Makes an empty pool.
   *
   * @param waited told how long each holder waited for its channel; must not park
   */
  public ChannelPool(Uplink uplink, Bounds bounds, Consumer<Duration> waited) {
    this.maxWait = bounds.maxWait();
    this.waited = waited;
    this.channels = new GenericObjectPool<>(new Factory(uplink), config(bounds));
  }

  private static GenericObjectPoolConfig<PooledChannel> config(Bounds bounds) {
    GenericObjectPoolConfig<PooledChannel> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(bounds.channels());
    config.setMaxIdle(bounds.channels());
    config.setMinIdle(Math.min(bounds.ready(), bounds.channels()));
    config.setMaxWait(bounds.maxWait());
    config.setTestOnBorrow(true);
    config.setJmxEnabled(false);
    return config;
  }

  /**
   * Opens channels ahead, as many as are to be ready, on a connection just made: those of an
   * earlier one are dead. Parks its caller for as many answers of the broker.
   */
  public void fill() {
    channels.clear();
    try {
      channels.preparePool();
    } catch (Exception e) { // what the pool declares
      log.debug("channels are opened when they are needed: {}", e.getMessage());
    }
  }

  /**
   * Borrows a channel.
   *
   * @throws BrokerException when none is free in time, or none can be opened
   */
  public Lease borrow() throws BrokerException, InterruptedException {
    long begun = System.nanoTime();
    Lease lease = new Lease(borrowed());
    waited.accept(Duration.ofNanos(System.nanoTime() - begun));
    return lease;
  }

  /** The pool declares {@code Exception}: it passes on what its factory throws. */
  private PooledChannel borrowed() throws BrokerException, InterruptedException {
    try {
      return channels.borrowObject();
    } catch (BrokerException | InterruptedException e) {
      throw e;
    } catch (NoSuchElementException e) {
      throw new BrokerException("no channel free within " + maxWait.toMillis() + " ms", e);
    } catch (Exception e) {
      throw new BrokerException("cannot borrow a channel: " + e.getMessage(), e);
    }
  }

  private void discard(PooledChannel channel) {
    try {
      channels.invalidateObject(channel);
    } catch (Exception _) {
      // The channel is gone; what failed is its replacement for a waiting holder, who tries again.
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
}
