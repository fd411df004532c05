package dev.chatflow.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.chatflow.server.simulation.mutant.Mutant;
import dev.chatflow.server.simulation.mutant.MutantLoader;
import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Plan;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Plays the shortest known sequence of events for each rule: a seed with a subset of its steps,
 * named after the failure. With the rule the run holds; without it, it fails.
 *
 * <p>The sequences are in {@code sequences.txt}. A change of how plans are built invalidates them:
 * the test searches a new sequence for each one that no longer fails, and prints it.
 */
class NamedSeedsTest {

  private static final String SEQUENCES = "sequences.txt";
  private static final Duration SHRINKING = Duration.ofSeconds(30);

  private final Quiet quiet = new Quiet();

  @AfterEach
  void logAsBefore() {
    quiet.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = SEQUENCES, delimiter = '|')
  void holds(String name, long seed, String steps) {
    assertThat(Run.of(Replay.of(seed, steps).plan(), new Met()).failure()).as(name).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = SEQUENCES, delimiter = '|')
  void breaksWithoutTheRule(String name, long seed, String steps) {
    Mutant mutant = Mutant.named(name);
    Function<String, String> changed = new MutantLoader(mutant).anew(PlanRun.class);
    if (changed.apply(seed + " " + steps).isEmpty()) {
      fail("does not break any more; now it is: %s", sequence(mutant));
    }
  }

  /** Returns the row of a rule, searched among as many seeds as the mutant allows. */
  private static String sequence(Mutant mutant) {
    LongFunction<String> seeds = new MutantLoader(mutant).anew(SeedRun.class);
    long before = new Seeds(1, mutant.within()).firstFailing(seeds);
    if (before == Seeds.NONE) {
      return "none of " + mutant.within();
    }
    Function<String, String> steps = new MutantLoader(mutant).anew(PlanRun.class);
    Plan least =
        new Shrinking(plan -> !steps.apply(Replay.of(plan).toString()).isEmpty(), SHRINKING)
            .of(Plan.of(1 + before));
    return "%s | %d | %s".formatted(mutant, 1 + before, Replay.of(least).stepsText());
  }
}
