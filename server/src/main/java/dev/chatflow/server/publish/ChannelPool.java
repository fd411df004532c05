package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerException;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * The channels of the publisher connection, lent to one holder at a time.
 *
 * <p>Any thread. Lanes hold at most one each, so more channels than shards stay unused. A channel
 * is checked when it is lent, and given up unless its holder says that nothing is left in doubt.
 */
final class ChannelPool implements AutoCloseable {

  /** A channel in the hands of one holder, until it is closed. */
  final class Lease implements AutoCloseable {
    private final PooledChannel channel;
    private boolean kept;

    private Lease(PooledChannel channel) {
      this.channel = channel;
    }

    PooledChannel channel() {
      return channel;
    }

    /** Nothing is under way or in doubt on the channel: the next holder may have it. */
    void keep() {
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
  private final PublishMeter meter;

  ChannelPool(Uplink uplink, int capacityChannels, Duration maxWait, PublishMeter meter) {
    this.maxWait = maxWait;
    this.meter = meter;
    this.channels = new GenericObjectPool<>(new Factory(uplink), config(capacityChannels, maxWait));
  }

  private static GenericObjectPoolConfig<PooledChannel> config(int capacity, Duration maxWait) {
    GenericObjectPoolConfig<PooledChannel> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(capacity);
    config.setMaxIdle(capacity);
    config.setMaxWait(maxWait);
    config.setTestOnBorrow(true);
    config.setJmxEnabled(false);
    return config;
  }

  /**
   * Borrows a channel.
   *
   * @throws BrokerException when none is free in time, or none can be opened
   */
  Lease borrow() throws BrokerException, InterruptedException {
    long begun = System.nanoTime();
    Lease lease = new Lease(borrowed());
    meter.poolWait(Duration.ofNanos(System.nanoTime() - begun));
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

  int active() {
    return channels.getNumActive();
  }

  int idle() {
    return channels.getNumIdle();
  }

  @Override
  public void close() {
    channels.close();
  }
}
