package dev.chatflow.client.compat;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The workload of the skier client: three phases of concurrent users that send one request after
 * the other over HTTP, and what it prints meanwhile. Stateless.
 */
public final class SkierWorkload {
  public static final int SKIERS = 20_000;
  public static final int RUNS = 10;

  /** Concurrent users in the second phase when no option says how many. */
  public static final int USERS = 128;

  public static final Preset PRESET =
      new Preset("skier-3phase", 20, 0, 0, 0, Warmup.NONE, Mix.TEXTS_ONLY, true, true);

  private SkierWorkload() {}

  /**
   * The phases for so many concurrent users, with its integer divisions: of ten runs over all ids
   * the phases have two, six and one.
   */
  public static List<Wave> waves(int users, int skiers, int runs) {
    CommandFailure.requireRange("--threads", users, 10, 1024);
    CommandFailure.requireRange("--numSkiers", skiers, 1, 100_000);
    CommandFailure.requireRange("--numRuns", runs, 1, 20);
    int first = users / 4;
    return Stream.of(
            new Wave("ONE", first, runs * 2 / 10 * (skiers / first)),
            new Wave("TWO", users, runs * 6 / 10 * (skiers / users)),
            new Wave("THREE", users / 10, runs / 10))
        .filter(wave -> wave.textsEach() > 0)
        .toList();
  }

  /** Prints the beginnings of the phases as it does. */
  public static Wave.Listener lines(Consumer<String> out) {
    return new Wave.Listener() {
      @Override
      public void begun(Wave wave) {
        out.accept("------ PHASE " + wave.name() + " INITIALIZED ------");
      }

      @Override
      public void fifthFinished(Wave wave) {
        out.accept("------ PHASE " + wave.name() + ": 20% OF THREADS COMPLETE ------");
      }
    };
  }
}
