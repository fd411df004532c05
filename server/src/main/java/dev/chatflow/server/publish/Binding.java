package dev.chatflow.server.publish;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.server.publish.channel.ChannelPool;
import dev.chatflow.server.publish.channel.Confirm;
import org.jspecify.annotations.Nullable;

/**
 * The binding of one shard to the server's own queue, and its generation.
 *
 * <p>The lane's thread binds and unbinds; any thread asks {@link #isBound}. The generation counts
 * up after an own unbind and when the queue was newly created: only then may messages of others be
 * missing without a loss. A bind repeated on a queue that was found keeps it, else a hole after an
 * unbinding by hand would be forgiven.
 */
final class Binding {

  private final ShardLink link;
  private final ChannelPool pool;

  private volatile @Nullable OwnQueue bound;
  private int incarnation;
  private boolean fresh = true;
  private long generation;
  private boolean marked = true;

  Binding(ShardLink link, ChannelPool pool) {
    this.link = link;
    this.pool = pool;
  }

  boolean isBound() {
    return bound != null;
  }

  /** Whether the consumer has opened another queue, or the same anew, since the last bind. */
  boolean isStale() {
    OwnQueue was = bound;
    OwnQueue now = link.queue();
    return was != null && now != null && was.epoch() != now.epoch();
  }

  /** Whether the next message is to carry the generation. */
  boolean owesMark() {
    return !marked;
  }

  /** The generation, for the next message to be built, or 0 when one has carried it. */
  long takeMark() {
    long mark = marked ? 0 : generation;
    marked = true;
    return mark;
  }

  /** Binds the shard to the queue, unless it is. */
  Confirm ensure(OwnQueue queue) throws InterruptedException {
    OwnQueue was = bound;
    if (was != null && was.epoch() == queue.epoch()) {
      return new Confirm.Acked();
    }
    if (fresh || queue.incarnation() != incarnation) {
      generation++;
      fresh = false;
      incarnation = queue.incarnation();
    }
    link.binding(generation);
    Confirm confirm = bind(queue);
    if (confirm instanceof Confirm.Acked) {
      bound = queue;
      marked = false;
    }
    return confirm;
  }

  private Confirm bind(OwnQueue queue) throws InterruptedException {
    try (ChannelPool.Lease lease = pool.borrow()) {
      Confirm confirm = lease.channel().bind(queue.name(), link.shard());
      if (confirm instanceof Confirm.Acked) {
        lease.keep();
      }
      return confirm;
    } catch (BrokerException e) {
      return new Confirm.Lost(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Unbinds the shard. When the broker does not confirm that, the shard counts as unbound all the
   * same: what still arrives by it does no harm, and the next bind is a new generation.
   */
  void release() throws InterruptedException {
    OwnQueue was = bound;
    if (was == null) {
      return;
    }
    bound = null;
    marked = true;
    fresh = true;
    link.unbinding();
    try (ChannelPool.Lease lease = pool.borrow()) {
      if (lease.channel().unbind(was.name(), link.shard()) instanceof Confirm.Acked) {
        lease.keep();
      }
    } catch (BrokerException _) {
      // No channel: see above.
    }
  }
}
