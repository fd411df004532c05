package dev.chatflow.server.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened in a run, in words; kept only when somebody will read it. */
final class Trace {

  private final boolean kept;
  private final List<String> lines = new ArrayList<>();

  Trace(boolean kept) {
    this.kept = kept;
  }

  void note(long nowNanos, Supplier<String> what) {
    if (kept) {
      lines.add("%9.3f s  %s".formatted(nowNanos / 1e9, what.get()));
    }
  }

  List<String> lines() {
    return lines;
  }
}
