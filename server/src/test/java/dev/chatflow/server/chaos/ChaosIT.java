package dev.chatflow.server.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The short scenarios as tests, on the embedded broker. Needs the packaged WAR and client: the tag
 * is left out of a usual build, {@code ./chatflow chaos} plays all of them.
 */
@Tag("chaos")
class ChaosIT {

  private static final long SEED = 20_261_121;
  private static final Duration GRACE = Duration.ofSeconds(10); // the machine may be busy

  @TestFactory
  Stream<DynamicTest> nothingIsLostRepeatedOrReordered() {
    return Scenarios.ALL.stream()
        .filter(scenario -> scenario.quick() && !scenario.needsAlarm())
        .map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> play(scenario)));
  }

  private static void play(Scenario scenario) throws Exception {
    try (FaultyBroker broker = EmbeddedNode.launch();
        Stage stage = new Stage(broker, SEED)) {
      Report report = scenario.play(stage, GRACE);
      assertThat(report.problems()).as(stage.logs()).isEmpty();
    }
  }
}
