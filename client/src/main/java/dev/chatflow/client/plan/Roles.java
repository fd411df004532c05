package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.util.List;

/**
 * The differences between users: listeners, repeated JOINs, hot rooms and users, and groups that
 * start later.
 *
 * @param listeners members of each room that have a WebSocket; {@link #EVERYBODY} for all
 * @param zipf exponent of the rooms' shares of the texts: room k has 1/k^zipf; 0 for equal shares
 * @param userZipf exponent of the users' shares of their room's texts
 * @param waves groups of senders that start one after the other; empty if all start at once
 */
public record Roles(int listeners, Mix mix, double zipf, double userZipf, List<Wave> waves) {
  public static final int EVERYBODY = Integer.MAX_VALUE;
  public static final Roles EQUAL = new Roles(EVERYBODY, Mix.TEXTS_ONLY, 0, 0, List.of());

  public Roles {
    waves = List.copyOf(waves);
    for (double exponent : new double[] {zipf, userZipf}) {
      if (!(exponent >= 0 && exponent <= 10)) {
        throw CommandFailure.usage("--zipf must be from 0 to 10, found " + exponent);
      }
    }
  }

  /** Returns whether some users write more than others. */
  public boolean isUneven() {
    return zipf > 0 || userZipf > 0;
  }

  /** Returns the share of the texts of the first {@code count} rooms. */
  double ofFirstRooms(int count, int rooms) {
    return harmonic(count, zipf) / harmonic(rooms, zipf);
  }

  /** Returns the share of a room's texts of its first {@code count} users. */
  double ofFirstUsers(int count, int users) {
    return harmonic(count, userZipf) / harmonic(users, userZipf);
  }

  private static double harmonic(int count, double exponent) {
    if (exponent == 0) {
      return count;
    }
    double sum = 0;
    for (int k = 1; k <= count; k++) {
      sum += Math.pow(k, -exponent);
    }
    return sum;
  }
}
