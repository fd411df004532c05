package dev.chatflow.client.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Lets the users of a load thread take turns if not all may be connected at once. Each connects,
 * joins, sends, leaves and closes; then the next one starts, room by room. Belongs to that thread.
 */
final class Pool {
  private final Queue<User> waiting;
  private final List<User> active = new ArrayList<>();
  private final int size;
  private final double nanosPerConnect;
  private double nextNanos;

  Pool(List<User> users, int size, double connectsPerSecond) {
    waiting = new ArrayDeque<>(users);
    this.size = size;
    nanosPerConnect = 1e9 / connectsPerSecond;
  }

  /** Advances the visits; returns true when every user had its turn. */
  boolean tick(long now) {
    active.removeIf(User::isDisconnected);
    while (active.size() < size && now >= nextNanos && !waiting.isEmpty()) {
      nextNanos = Math.max(nextNanos, now - nanosPerConnect) + nanosPerConnect;
      User next = waiting.remove();
      active.add(next);
      next.connect(now);
    }
    for (User user : active) {
      user.tick(now);
      user.visit(now);
    }
    return waiting.isEmpty() && active.isEmpty();
  }
}
