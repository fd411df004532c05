package dev.chatflow.client.engine;

import java.util.List;

/** Starts a load thread's connections at its share of the connect rate. Belongs to that thread. */
final class Connects {
  private final List<User> users;
  private final double nanosPerConnect;
  private int started;

  Connects(List<User> users, double ratePerSecond) {
    this.users = users;
    nanosPerConnect = 1e9 / ratePerSecond;
  }

  /** Opens connections that are due; returns true when every user is connected or has given up. */
  boolean tick(long nanosInPhase, long now, boolean stopped) {
    while (!stopped && started < users.size() && started * nanosPerConnect <= nanosInPhase) {
      users.get(started++).connect(now);
    }
    boolean settled = started == users.size() || stopped;
    for (User user : users.subList(0, started)) {
      user.tick(now);
      settled &= user.state() == UserState.OPEN || user.isDisconnected() || stopped;
    }
    return settled;
  }
}
