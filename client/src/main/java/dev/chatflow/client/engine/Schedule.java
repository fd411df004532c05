package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import java.util.Random;

/**
 * Due times of one load thread's share of an open run, in order; a late sender never shifts them.
 *
 * <p>With constant arrivals message k of the run is due at k / rate and users take turns over all
 * threads. With Poisson arrivals each thread draws the gaps of its share from its own generator:
 * the sum of independent Poisson streams is one. Belongs to one thread.
 */
final class Schedule {
  private final double nanosPerMessage;
  private final int allUsers;
  private final int[] users;
  private final boolean poisson;
  private final Random random;
  private int place;
  private long round;
  private double nextNanos;

  /**
   * Starts with the first message.
   *
   * @param users global numbers of the thread's users, ascending
   */
  Schedule(Pacing pacing, int allUsers, int[] users, long seed) {
    this.allUsers = allUsers;
    this.users = users.clone();
    poisson = pacing.poisson();
    random = new Random(seed);
    double share = poisson ? (double) users.length / allUsers : 1;
    nanosPerMessage = 1e9 / (pacing.ratePerSecond() * share);
    nextNanos = poisson ? gap() : users[0] * nanosPerMessage;
  }

  /** When the next message is due, in nanoseconds since the main phase began. */
  long nextNanos() {
    return (long) nextNanos;
  }

  /** Place (in the thread's list) of the user whose turn it is; moves on to the next. */
  int take() {
    int taken = place;
    place++;
    if (place == users.length) {
      place = 0;
      round++;
    }
    nextNanos = poisson ? nextNanos + gap() : (round * allUsers + users[place]) * nanosPerMessage;
    return taken;
  }

  private double gap() {
    return -Math.log(1 - random.nextDouble()) * nanosPerMessage;
  }
}
