package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Wave;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * Which groups of senders have begun: the next one does when a fifth of the last has finished. Any
 * thread.
 */
final class Waves {
  private final List<Wave> waves;
  private final AtomicIntegerArray finished;
  private volatile int begun;
  private volatile Consumer<String> notes = _ -> {};

  Waves(List<Wave> waves) {
    this.waves = waves;
    finished = new AtomicIntegerArray(Math.max(1, waves.size()));
  }

  /** Who is told of the beginnings, on the thread that causes them. */
  void tellTo(Consumer<String> listener) {
    notes = listener;
  }

  /** The main phase begins. */
  synchronized void begin() {
    if (begun == 0 && !waves.isEmpty()) {
      beginNext();
    }
  }

  /** How many waves have begun. */
  int begun() {
    return begun;
  }

  /** One user of a wave has sent everything. */
  void finished(int wave) {
    Wave of = waves.get(wave);
    if (finished.incrementAndGet(wave) == of.finishedForNext()) {
      notes.accept("------ PHASE " + of.name() + ": 20% OF THREADS COMPLETE ------");
      synchronized (this) {
        if (begun < waves.size()) {
          beginNext();
        }
      }
    }
  }

  private synchronized void beginNext() {
    begun = begun + 1;
    notes.accept("------ PHASE " + waves.get(begun - 1).name() + " INITIALIZED ------");
  }
}
