package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Disturbance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Drops a share of a load thread's connections in each period. Belongs to that thread. */
final class Churn {
  private final List<User> users;
  private final Disturbance disturbance;
  private final Random random;
  private int rounds;

  Churn(List<User> users, Disturbance disturbance, long seed) {
    this.users = users;
    this.disturbance = disturbance;
    random = new Random(seed);
  }

  void tick(long nanosInMain) {
    if (!disturbance.churns() || nanosInMain < (rounds + 1) * disturbance.churnPeriod().toNanos()) {
      return;
    }
    rounds++;
    List<User> joined = new ArrayList<>(users.stream().filter(User::isJoined).toList());
    Collections.shuffle(joined, random);
    long count = Math.round(disturbance.churnShare() * users.size());
    joined.stream().limit(count).forEach(User::drop);
  }
}
