package dev.chatflow.server.simulation.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The events of a run as text; kept only on request. */
public final class Trace {

  private final boolean kept;
  private final List<String> lines = new ArrayList<>();

  public Trace(boolean kept) {
    this.kept = kept;
  }

  public void note(long nowNanos, Supplier<String> what) {
    if (kept) {
      lines.add("%9.3f s  %s".formatted(nowNanos / 1e9, what.get()));
    }
  }

  public List<String> lines() {
    return lines;
  }
}
