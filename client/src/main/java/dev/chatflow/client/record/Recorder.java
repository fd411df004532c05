package dev.chatflow.client.record;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The histograms of one load thread, handed over interval by interval.
 *
 * <p>The load thread records into {@link #active} and calls {@link #handOver}. The observer polls
 * {@link #takeInterval}, adds up the set and returns it. Both queues hold one set. A late observer
 * gets a longer interval; nothing is lost.
 */
public final class Recorder {
  private final BlockingQueue<SeriesSet> full = new ArrayBlockingQueue<>(1);
  private final BlockingQueue<SeriesSet> empty = new ArrayBlockingQueue<>(1);
  private SeriesSet active = new SeriesSet();

  public Recorder() {
    giveBack(new SeriesSet());
  }

  public SeriesSet active() {
    return active;
  }

  /** Offers the recorded values to the observer, if it is ready. Called by the load thread. */
  public void handOver() {
    SeriesSet fresh = empty.poll();
    if (fresh != null) {
      boolean offered = full.offer(active);
      if (!offered) {
        throw new IllegalStateException("two sets cannot both be handed over");
      }
      active = fresh;
    }
  }

  /** Returns the offered set, or null. Called by the observer. */
  public @Nullable SeriesSet takeInterval() {
    return full.poll();
  }

  /** Resets a set and gives it back. Called by the observer. */
  public void giveBack(SeriesSet set) {
    set.reset();
    if (!empty.offer(set)) {
      throw new IllegalStateException("a set was given back without being taken");
    }
  }
}
