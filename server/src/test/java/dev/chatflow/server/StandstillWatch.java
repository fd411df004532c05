package dev.chatflow.server;

import java.util.function.LongSupplier;

/** Notices standstills by a clock of a test's own. */
public final class StandstillWatch {

  private final LongSupplier nanos;
  private final Standstill standstill;

  public StandstillWatch(LongSupplier nanos, Runnable told) {
    this.nanos = nanos;
    this.standstill = new Standstill(nanos.getAsLong(), _ -> told.run());
  }

  /** How long from one tick to the next, in ns. */
  public static long tickNanos() {
    return Standstill.TICK.toNanos();
  }

  public void tick() {
    standstill.tick(nanos.getAsLong());
  }

  public boolean isJustOver() {
    return standstill.isJustOver(nanos.getAsLong());
  }
}
