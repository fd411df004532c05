package dev.chatflow.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Plan;
import dev.chatflow.server.simulation.plan.Spoiled;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs lanes and readers of several servers on one log in simulated time, and compares them with a
 * naive reader of the whole log.
 */
class SimulationTest {

  private static final long BASE = Long.getLong("simulation.base", 1);
  private static final long SEEDS = Long.getLong("simulation.seeds", 20_000);
  private static final Duration SHRINKING = Duration.ofSeconds(30);

  /** Number of seeds that produce every event. */
  private static final int MANY = 20_000;

  /**
   * Events that a thousand seeds produce: an answer to a repeated message needs several thousand.
   */
  private static final Set<Met.What> OFTEN = EnumSet.complementOf(EnumSet.of(Met.What.DUPLICATE));

  private final Quiet quiet = new Quiet();

  @AfterEach
  void logAsBefore() {
    quiet.close();
  }

  /** A seed given by name is played without others. */
  @Test
  void allServersDecideLikeAReaderFromTheStartOfTheLog() {
    Long named = Long.getLong("simulation.seed");
    if (named != null) {
      Plan plan = Replay.of(named, System.getProperty("simulation.steps", "")).plan();
      judge(plan, plan);
      return;
    }
    Met met = new Met();
    long first = new Seeds(BASE, SEEDS).firstFailing(seed -> Run.of(Plan.of(seed), met).orEmpty());
    if (first != Seeds.NONE) {
      Plan plan = Plan.of(BASE + first);
      judge(plan, new Shrinking(SimulationTest::fails, SHRINKING).of(plan));
    }
    for (Met.What what : SEEDS < MANY ? OFTEN : EnumSet.allOf(Met.What.class)) {
      assertThat(met.times(what)).as("%s within %d seeds", what, SEEDS).isPositive();
    }
  }

  private static boolean fails(Plan plan) {
    return Run.of(plan, new Met()).failure() != null;
  }

  private static void judge(Plan plan, Plan shrunk) {
    Run run = Run.of(shrunk, new Met(), Spoiled.NOTHING, true);
    if (run.failure() != null) {
      fail(
          "seed %d with %d of %d steps: %s%n%s%n%s",
          plan.dice().seed(),
          shrunk.steps().size(),
          plan.steps().size(),
          run.failure(),
          Replay.of(shrunk).command(),
          String.join("\n", run.trace()));
    }
  }

  @Test
  void aSeedRunsTheSameTwice() {
    for (long seed = BASE; seed < BASE + 100; seed++) {
      List<String> first = Run.of(Plan.of(seed), new Met(), Spoiled.NOTHING, true).trace();
      assertThat(Run.of(Plan.of(seed), new Met(), Spoiled.NOTHING, true).trace())
          .as("trace of seed %d", seed)
          .isEqualTo(first);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
  void aFrameChangedInFlightFailsTheFirstSeed(Spoiled spoiled) {
    assertThat(Run.of(Plan.of(1), new Met(), spoiled, false).failure()).isNotNull();
  }

  @Test
  void failureIsReducedAndReplayedByItsNumbers() {
    Predicate<Plan> fails =
        plan -> Run.of(plan, new Met(), Spoiled.DROPPED, false).failure() != null;
    Plan least = new Shrinking(fails, SHRINKING).of(Plan.of(1));
    assertThat(least.steps()).hasSizeLessThan(60);
    Plan again = Replay.of(1, Replay.of(least).stepsText()).plan();
    assertThat(again).isEqualTo(least);
    assertThat(fails.test(again)).isTrue();
  }
}
