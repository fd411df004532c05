package dev.chatflow.server;

import java.util.function.LongSupplier;

/** Detects pauses of a process by a clock of the test. */
public final class PauseWatch {

  private final LongSupplier nanos;
  private final ProcessPause pause;

  public PauseWatch(LongSupplier nanos, Runnable told) {
    this.nanos = nanos;
    this.pause = new ProcessPause(nanos.getAsLong(), _ -> told.run());
  }

  /** Returns the time from one tick to the next, in ns. */
  public static long tickNanos() {
    return ProcessPause.TICK.toNanos();
  }

  public void tick() {
    pause.tick(nanos.getAsLong());
  }

  public boolean isJustOver() {
    return pause.isJustOver(nanos.getAsLong());
  }
}
