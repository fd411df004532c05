package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Wave;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Starts groups of senders: the next one when a fifth of the last has finished. Any thread. */
final class Waves {
  private final List<Wave> waves;
  private final Wave.Listener listener;
  private final AtomicIntegerArray finished;
  private volatile int begun;

  Waves(List<Wave> waves, Wave.Listener listener) {
    this.waves = waves;
    this.listener = listener;
    finished = new AtomicIntegerArray(Math.max(1, waves.size()));
  }

  /** Starts the first wave. */
  synchronized void begin() {
    if (begun == 0 && !waves.isEmpty()) {
      beginNext();
    }
  }

  /** Returns the number of started waves. */
  int begun() {
    return begun;
  }

  /** Records that a user of a wave has sent everything. */
  void finished(int wave) {
    Wave of = waves.get(wave);
    if (finished.incrementAndGet(wave) == of.finishedForNext()) {
      listener.fifthFinished(of);
      synchronized (this) {
        if (begun < waves.size()) {
          beginNext();
        }
      }
    }
  }

  private synchronized void beginNext() {
    begun = begun + 1;
    listener.begun(waves.get(begun - 1));
  }
}
