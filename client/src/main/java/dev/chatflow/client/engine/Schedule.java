package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Workload;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The due times of one load thread's share of an open run, in order. A late sender never shifts
 * them.
 *
 * <p>With constant arrivals, message k of the run has a fixed due time, and the rooms of all
 * threads take turns, each with its next user, so that load is spread over all rooms. With Poisson
 * arrivals, each thread draws the gaps of its share from its own generator: the sum of independent
 * Poisson streams is one. If rooms or users have unequal shares, each thread has the share of its
 * users and draws the next user. Belongs to one thread.
 */
final class Schedule {
  private final Pacing pacing;
  private final int allUsers;

  /** Indexes in the thread's list, with their turns, in the order of turns. */
  private final int[] turnIndexes;

  private final int[] turns;
  private final double[] weights;
  private final double share;
  private final Random random;
  private int turn;
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
    turnIndexes =
        IntStream.range(0, users.length)
            .boxed()
            .sorted(Comparator.comparingInt(each -> workload.turnOf(users[each])))
            .mapToInt(Integer::intValue)
            .toArray();
    turns = IntStream.of(turnIndexes).map(each -> workload.turnOf(users[each])).toArray();
    random = new Random(seed);
    weights = workload.roles().isUneven() ? weights(workload, users) : new double[0];
    share = weights.length > 0 ? weights[users.length - 1] : (double) users.length / allUsers;
    index = isInTurns() ? turns[0] : pacing.poisson() ? gap() : random.nextDouble() / share;
  }

  /** Returns the due time of the next message, in nanoseconds since the start of the main phase. */
  long nextNanos() {
    return (long) pacing.dueNanos(index);
  }

  /** Returns the index, in the thread's list, of the user whose turn it is, and advances. */
  int take() {
    int chosen = weights.length > 0 ? drawn() : turnIndexes[turn];
    turn++;
    if (turn == turnIndexes.length) {
      turn = 0;
      round++;
    }
    index = isInTurns() ? round * allUsers + turns[turn] : index + gap();
    return chosen;
  }

  private boolean isInTurns() {
    return weights.length == 0 && !pacing.poisson();
  }

  private double gap() {
    return (pacing.poisson() ? -Math.log(1 - random.nextDouble()) : 1) / share;
  }

  private int drawn() {
    int at = Arrays.binarySearch(weights, random.nextDouble() * share);
    return Math.min(at < 0 ? -at - 1 : at, turnIndexes.length - 1);
  }

  /** Returns the running sums of the users' shares. */
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
