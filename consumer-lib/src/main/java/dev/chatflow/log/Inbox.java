package dev.chatflow.log;

import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What one reading has handed over and its reader has not taken yet.
 *
 * <p>The broker's threads put, the reader polls; it never waits here but is woken. Bounded: the
 * broker stops at the prefetch, a stream's only behind the chunk in which that is reached. A broker
 * that goes on beyond both ends the reading.
 */
public final class Inbox {

  /**
   * Entries of a chunk that may come beyond the prefetch. A stream is handed out in whole chunks:
   * what was published at the same time. Seen with RabbitMQ 3.10.8 and a prefetch of 64: 96.
   */
  static final int CHUNK_ENTRIES = 4_096;

  private final ArrayBlockingQueue<Arrival> arrivals;
  private final Runnable wake;
  private volatile @Nullable String ended;

  /**
   * Makes an empty one.
   *
   * @param prefetchEntries after so many unacknowledged ones the broker stops
   * @param wake called after each change, by any thread; must not park
   */
  public Inbox(int prefetchEntries, Runnable wake) {
    this.arrivals = new ArrayBlockingQueue<>(prefetchEntries + CHUNK_ENTRIES);
    this.wake = wake;
  }

  /**
   * Takes an arrival; after the end nothing more enters: an order with a hole looks like a loss.
   */
  public void put(Arrival arrival) {
    if (ended == null && !arrivals.offer(arrival)) {
      ended = "the broker delivers beyond the prefetch";
    }
    wake.run();
  }

  /** Nothing more will come. */
  public void end(String why) {
    ended = why;
    wake.run();
  }

  /** The next arrival, or null when none is there. */
  public @Nullable Arrival poll() {
    return arrivals.poll();
  }

  boolean isEmpty() {
    return arrivals.isEmpty();
  }

  /** Why nothing more will come, or null while more may. */
  public @Nullable String ended() {
    return ended;
  }
}
