package dev.chatflow.shard.reader;

import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What one reading has handed over and its reader has not taken yet.
 *
 * <p>The broker's threads put, the reader polls; it never waits here but is woken. Bounded by the
 * prefetch, so it is never full unless the broker ignores that: then the reading ends.
 */
public final class Inbox {

  private final ArrayBlockingQueue<Arrival> arrivals;
  private final Runnable wake;
  private volatile @Nullable String ended;

  /**
   * Makes an empty one.
   *
   * @param capacityEntries the prefetch
   * @param wake called after each change, by any thread; must not park
   */
  public Inbox(int capacityEntries, Runnable wake) {
    this.arrivals = new ArrayBlockingQueue<>(capacityEntries);
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
  @Nullable Arrival poll() {
    return arrivals.poll();
  }

  boolean isEmpty() {
    return arrivals.isEmpty();
  }

  /** Why nothing more will come, or null while more may. */
  @Nullable String ended() {
    return ended;
  }
}
