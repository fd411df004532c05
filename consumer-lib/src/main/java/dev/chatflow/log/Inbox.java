package dev.chatflow.log;

import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries that one reading has delivered and its reader has not taken yet.
 *
 * <p>Other threads put, the reader polls; the reader is woken and never waits here. Bounded: the
 * broker stops at the prefetch, a stream only after the chunk in which it is reached. What exceeds
 * both ends the reading.
 */
public final class Inbox {

  /**
   * Entries of a chunk that may exceed the prefetch. A stream is delivered in whole chunks: the
   * entries published at the same time. Observed with RabbitMQ 3.10.8 and a prefetch of 64: 96.
   */
  static final int CHUNK_ENTRIES = 4_096;

  private final ArrayBlockingQueue<Arrival> arrivals;
  private final Runnable wake;
  private volatile @Nullable String ended;

  /**
   * Creates an empty inbox.
   *
   * @param prefetchEntries number of unacknowledged entries at which the broker stops
   * @param wake called after each change, by any thread; must not park
   */
  public Inbox(int prefetchEntries, Runnable wake) {
    this.arrivals = new ArrayBlockingQueue<>(prefetchEntries + CHUNK_ENTRIES);
    this.wake = wake;
  }

  /**
   * Adds an arrival. After the end nothing is added, because an order with a hole looks like a
   * loss.
   */
  public void put(Arrival arrival) {
    if (ended == null && !arrivals.offer(arrival)) {
      ended = "the broker delivers beyond the prefetch";
    }
    wake.run();
  }

  /** Ends the inbox: nothing more will arrive. */
  public void end(String why) {
    ended = why;
    wake.run();
  }

  /** Returns the next arrival, or null if there is none. */
  public @Nullable Arrival poll() {
    return arrivals.poll();
  }

  boolean isEmpty() {
    return arrivals.isEmpty();
  }

  /** Returns why nothing more will arrive, or null while more may. */
  public @Nullable String ended() {
    return ended;
  }
}
