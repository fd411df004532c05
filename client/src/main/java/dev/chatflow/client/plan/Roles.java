package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.util.List;

/**
 * What makes users differ: who listens, who leaves and joins again, which rooms are hot, who begins
 * when.
 *
 * @param listeners members of each room that have a WebSocket; {@link #EVERYBODY} for all
 * @param zipf exponent of the rooms' shares of the texts: room k has 1/k^zipf; 0 makes them equal
 * @param waves groups of senders that begin one after the other; empty: all begin at once
 */
public record Roles(int listeners, Mix mix, double zipf, List<Wave> waves) {
  public static final int EVERYBODY = Integer.MAX_VALUE;
  public static final Roles EQUAL = new Roles(EVERYBODY, Mix.TEXTS_ONLY, 0, List.of());

  public Roles {
    waves = List.copyOf(waves);
    if (!(zipf >= 0 && zipf <= 10)) {
      throw CommandFailure.usage("--zipf must be from 0 to 10, found " + zipf);
    }
  }

  /** Share of the texts that the first rooms have together. */
  double shareOfFirst(int count, int rooms) {
    return harmonic(count) / harmonic(rooms);
  }

  private double harmonic(int count) {
    double sum = 0;
    for (int k = 1; k <= count; k++) {
      sum += Math.pow(k, -zipf);
    }
    return sum;
  }
}
