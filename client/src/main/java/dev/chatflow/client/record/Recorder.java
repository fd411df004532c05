package dev.chatflow.client.record;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The histograms of one load thread, handed over interval by interval.
 *
 * <p>The load thread records into {@link #active} and calls {@link #handOver}; the observer polls
 * {@link #takeInterval}, adds the set up and gives it back. Both queues hold one set. An observer
 * that is late gets a longer interval; nothing is lost.
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

  /** Load thread: offers what was recorded since the last hand-over, if the observer is ready. */
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

  /** Observer: the set handed over, or null. */
  public @Nullable SeriesSet takeInterval() {
    return full.poll();
  }

  /** Observer: returns a set taken, which is reset. */
  public void giveBack(SeriesSet set) {
    set.reset();
    if (!empty.offer(set)) {
      throw new IllegalStateException("a set was given back that was not taken");
    }
  }
}
