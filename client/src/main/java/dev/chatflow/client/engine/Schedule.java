package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Workload;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Due times of one load thread's share of an open run, in order; a late sender never shifts them.
 *
 * <p>With constant arrivals message k of the run is due when the schedule says so and rooms take
 * turns over all threads, each with its next user: no room speaks while the others are silent. With
 * Poisson arrivals each thread draws the gaps of its share from its own generator: the sum of
 * independent Poisson streams is one. When rooms or users are unequally hot each thread has the
 * share of its users and draws one. Belongs to one thread.
 */
final class Schedule {
  private final Pacing pacing;
  private final int allUsers;

  /** Places in the thread's list, and the turns of those who have them, in the order of turns. */
  private final int[] places;

  private final int[] turns;
  private final double[] weights;
  private final double share;
  private final Random random;
  private int place;
  private long round;
  private double index;

  /**
   * Starts with the first message.
   *
   * @param users global numbers of the thread's users, ascending
   */
  Schedule(Pacing pacing, Workload workload, int[] users, long seed) {
    this.pacing = pacing;
    this.allUsers = workload.users();
    places =
        IntStream.range(0, users.length)
            .boxed()
            .sorted(Comparator.comparingInt(each -> workload.turnOf(users[each])))
            .mapToInt(Integer::intValue)
            .toArray();
    turns = IntStream.of(places).map(each -> workload.turnOf(users[each])).toArray();
    random = new Random(seed);
    weights = workload.roles().isUneven() ? weights(workload, users) : new double[0];
    share = weights.length > 0 ? weights[users.length - 1] : (double) users.length / allUsers;
    index = isInTurns() ? turns[0] : pacing.poisson() ? gap() : random.nextDouble() / share;
  }

  /** When the next message is due, in nanoseconds since the main phase began. */
  long nextNanos() {
    return (long) pacing.dueNanos(index);
  }

  /** Place (in the thread's list) of the user whose turn it is; moves on to the next. */
  int take() {
    int taken = weights.length > 0 ? drawn() : places[place];
    place++;
    if (place == places.length) {
      place = 0;
      round++;
    }
    index = isInTurns() ? round * allUsers + turns[place] : index + gap();
    return taken;
  }

  private boolean isInTurns() {
    return weights.length == 0 && !pacing.poisson();
  }

  private double gap() {
    return (pacing.poisson() ? -Math.log(1 - random.nextDouble()) : 1) / share;
  }

  private int drawn() {
    int at = Arrays.binarySearch(weights, random.nextDouble() * share);
    return Math.min(at < 0 ? -at - 1 : at, places.length - 1);
  }

  /** Running sums of the users' shares in all texts. */
  private static double[] weights(Workload workload, int[] users) {
    double[] sums = new double[users.length];
    double sum = 0;
    for (int i = 0; i < users.length; i++) {
      sum += workload.shareOf(users[i]);
      sums[i] = sum;
    }
    return sums;
  }
}
