package dev.chatflow.consumer.room;

import dev.chatflow.room.Shard;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the publishing and the consuming side of one shard on one server know of each other.
 *
 * <p>The shard's lane and the shard's consumer thread share it; any thread may read.
 */
public final class ShardLink {

  /**
   * The queue that takes the shard's messages, as it is now.
   *
   * @param name its name
   * @param epoch counts every (re)opening by the consumer: a lane binds again when it changes
   * @param incarnation counts how often the queue was newly created: beyond the first, messages may
   *     be missing
   */
  public record OwnQueue(String name, int epoch, int incarnation) {}

  /**
   * A flight of this server's own lane.
   *
   * @param sequence its number
   * @param publishedNanos {@link System#nanoTime} when it was last published
   * @param acceptedNanos {@link System#nanoTime} when its oldest message was accepted
   */
  public record OwnFlight(long sequence, long publishedNanos, long acceptedNanos) {}

  private final Shard shard;

  // Guarded by this; written with notifyAll.
  private @Nullable OwnQueue queue;
  private boolean attention;

  // Written by the consumer.
  private volatile long returnedSequence;
  private volatile long newestJoinMillis;
  private volatile int members;

  // Written by the lane.
  private volatile OwnFlight flight = new OwnFlight(0, 0, 0);
  private volatile long confirmedSequence;
  private volatile long confirmedNanos;
  private volatile long generation;
  private volatile Runnable wakeLane = () -> {};

  public ShardLink(Shard shard) {
    this.shard = shard;
  }

  public Shard shard() {
    return shard;
  }

  // --- the consumer's side

  /** The consumer has its queue and reads it. */
  public void queueOpen(OwnQueue open) {
    synchronized (this) {
      queue = open;
      notifyAll();
    }
    wakeLane.run();
  }

  /** The consumer does not read now. */
  public synchronized void queueClosed() {
    queue = null;
  }

  /** An own AMQP message came back; beacons too. */
  public void returned(long sequence) {
    if (sequence > returnedSequence) {
      returnedSequence = sequence;
    }
  }

  /** Remembers the greatest server timestamp of a JOIN seen in the shard, from any server. */
  public void joinSeen(long millis) {
    if (millis > newestJoinMillis) {
      newestJoinMillis = millis;
    }
  }

  /** How many members the shard's rooms have on this server. */
  public void members(int count) {
    members = count;
  }

  /** Takes the lane's request to declare and bind anew; true once per request. */
  public synchronized boolean takeAttention() {
    boolean taken = attention;
    attention = false;
    return taken;
  }

  // --- the lane's side

  /** What wakes the lane when the queue (re)opens; set once, before anything starts. */
  public void onQueueOpen(Runnable wake) {
    wakeLane = wake;
  }

  /**
   * The queue, once the consumer reads it.
   *
   * @return null when it does not within {@code millis}
   */
  public synchronized @Nullable OwnQueue awaitQueue(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (queue == null) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return null;
      }
      wait(left);
    }
    return queue;
  }

  /** The queue the consumer reads now, or null. */
  public synchronized @Nullable OwnQueue queue() {
    return queue;
  }

  /**
   * The queue seems to be gone (a mandatory message came back): the consumer must declare it again.
   */
  public synchronized void requestAttention() {
    attention = true;
    queue = null;
  }

  /**
   * The lane is about to bind the shard to the queue as this generation: told before the broker is
   * asked, so that nothing can arrive by the new binding while the old generation still counts.
   */
  public void binding(long next) {
    if (next < 1) {
      throw new IllegalArgumentException("a generation counts from 1, not " + next);
    }
    generation = next;
  }

  /** The lane is about to unbind the shard: from now on no hole is a loss. */
  public void unbinding() {
    generation = 0;
  }

  public void published(OwnFlight own) {
    flight = own;
  }

  /** The broker has confirmed an own AMQP message, a beacon too. */
  public void confirmed(long sequence, long nanos) {
    confirmedNanos = nanos;
    confirmedSequence = sequence;
  }

  // --- both

  public OwnFlight flight() {
    return flight;
  }

  /** The generation of the lane's binding, or 0 while the shard is not bound. */
  public long generation() {
    return generation;
  }

  public long confirmedSequence() {
    return confirmedSequence;
  }

  public long confirmedNanos() {
    return confirmedNanos;
  }

  public long returnedSequence() {
    return returnedSequence;
  }

  public long newestJoinMillis() {
    return newestJoinMillis;
  }

  public int members() {
    return members;
  }
}
