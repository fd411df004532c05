package dev.chatflow.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.simulation.mutant.Mutant;
import dev.chatflow.server.simulation.mutant.MutantLoader;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that the simulation detects each rule of the product that is left out. */
class MutantsTest {

  private static final Logger log = LoggerFactory.getLogger(MutantsTest.class);

  private static final long BASE = Long.getLong("simulation.base", 1);
  private static final long SEEDS = Long.getLong("simulation.mutant.seeds", 500);

  /** Number of seeds with which another run plays mutants; those that it finds are left out. */
  private static final long PLAYED = Long.getLong("simulation.mutant.played", 0);

  private final Quiet quiet = new Quiet();

  @AfterEach
  void logAsBefore() {
    quiet.close();
  }

  /** Returns the mutants that are found within this many seeds and were not played before. */
  static List<Mutant> mutants() {
    return Mutant.ALL.stream()
        .filter(mutant -> mutant.within() > PLAYED && mutant.within() <= SEEDS)
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void isFound(Mutant mutant) {
    LongFunction<String> changed = new MutantLoader(mutant).anew(SeedRun.class);
    long before = new Seeds(BASE, SEEDS).firstFailing(changed);
    log.info("mutant: {}: found by seed number {}", mutant, before + 1);
    assertThat(before).as("found within %d seeds: %s", SEEDS, mutant).isNotEqualTo(Seeds.NONE);
  }
}
