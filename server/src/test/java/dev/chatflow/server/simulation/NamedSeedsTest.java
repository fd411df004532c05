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
 * Sequences of events that break a form of the design without one of its rules, each by the name of
 * what goes wrong then: a seed, and those of its steps that are enough. With the rule they hold;
 * without it they do not.
 *
 * <p>They stand in {@code sequences.txt}. A change of what plans are made of makes others of them:
 * whichever does not break any more is sought anew, and told.
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

  /** The row of a rule, sought among as many seeds as it may take. */
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
