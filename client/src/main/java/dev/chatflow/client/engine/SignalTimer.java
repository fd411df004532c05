package dev.chatflow.client.engine;

import java.util.List;

/**
 * Starts the signals of a load thread when they are due. The rooms take turns, and so do the
 * members of a room. Belongs to that thread.
 */
final class SignalTimer {
  private final LoadContext context;
  private final List<Room> rooms;
  private final double nanosBetween;
  private long startNanos;
  private long count = 1; // the first is due after the first pause

  SignalTimer(LoadContext context, List<Room> rooms) {
    this.context = context;
    this.rooms = rooms;
    nanosBetween = 1e9 / (context.plan.workload().extras().signalsPerSecond() * rooms.size());
  }

  /** Writes all due signals, if users may write texts now. */
  void tick(long now) {
    if (!context.isSending()) {
      return;
    }
    startNanos = startNanos == 0 ? now : startNanos;
    for (long due = dueNanos(); due <= now; due = dueNanos()) {
      rooms.get((int) (count++ % rooms.size())).signal(due);
    }
  }

  /** Returns the time to the next signal; {@code most} if it is later, or none is planned. */
  long waitNanos(long now, long most) {
    boolean planned = startNanos > 0 && context.isSending();
    return planned ? Math.clamp(dueNanos() - now, 0, most) : most;
  }

  private long dueNanos() {
    return startNanos + (long) (count * nanosBetween);
  }
}
