package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Golden;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.report.JsonReport;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  @Test
  void slowerIsWorseAndFasterIsBetter() {
    Comparison comparison = Comparison.of(run(20, 1000, 50, 5), run(25, 800, 60, 5));
    assertThat(comparison.worst()).isCloseTo(0.25, within(1e-9));
    assertThat(comparison.configuration()).isEmpty();
    assertThat(Comparison.of(run(25, 800, 60, 5), run(20, 1000, 50, 5)).worst()).isZero();
  }

  /** A run without deliveries has no latency, which is not an improvement. */
  @Test
  void figureMissingInOneRunIsNotCompared() {
    JsonObject seen = run(20, 1000, 50, 5);
    JsonObject blind = run(20, 1000, 50, 5);
    blind.remove("latencyMicros");
    for (Comparison comparison : List.of(Comparison.of(seen, blind), Comparison.of(blind, seen))) {
      assertThat(comparison.worst()).isZero();
      assertThat(comparison.deltas())
          .filteredOn(delta -> delta.figure().name().equals("latencyMicros.delivery.service.p99"))
          .singleElement()
          .satisfies(delta -> {
            assertThat(delta.worse()).isNaN();
            assertThat(delta.line()).endsWith(" -").contains("0.1 ms").doesNotContain("NaN");
          });
    }
  }

  @Test
  void differentWorkloadsAreNamed() {
    assertThat(Comparison.of(run(1, 1, 1, 5), run(1, 1, 1, 6)).configuration())
        .containsExactly("rooms: 5 -> 6");
  }

  @Test
  void figuresAreComparedUnderTheirLabels() {
    JsonObject json =
        JsonParser.parseString(JsonReport.of(StoredRuns.read("open").result())).getAsJsonObject();
    JsonObject other =
        JsonParser.parseString(JsonReport.of(StoredRuns.read("closed").result())).getAsJsonObject();
    Comparison comparison = Comparison.of(json, other);
    StringBuilder lines = new StringBuilder();
    comparison.configuration().forEach(line -> lines.append(line).append('\n'));
    comparison.deltas().forEach(delta -> lines.append(delta.line()).append('\n'));
    Golden.matches("comparison.txt", lines.toString());
  }

  /** A timed run has an internal limit of texts, which is not an option of the user. */
  @Test
  void textLimitOfATimedRunIsNotShownAsANumber() {
    JsonObject first = plan("{'texts':220,'durationSeconds':0}");
    JsonObject second = plan("{'texts':60000000,'durationSeconds':10,'expectedSends':100000020}");
    assertThat(Comparison.of(first, second).configuration())
        .containsExactly("texts: 220 -> as many as the time allows", "duration seconds: 0 -> 10");
  }

  private static JsonObject plan(String plan) {
    JsonObject json = new JsonObject();
    json.add("plan", parse(plan));
    return json;
  }

  private static JsonObject run(double window, double rate, double p99, int rooms) {
    JsonObject json = new JsonObject();
    json.add("plan", parse("{'rooms':" + rooms + ",'seed':" + rate + "}"));
    json.add("rates", parse("{'windowSeconds':" + window + ",'acceptedPerSecond':" + rate + "}"));
    json.add("latencyMicros", parse("{'delivery':{'service':{'p99':" + p99 + "}}}"));
    return json;
  }

  private static JsonObject parse(String text) {
    return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
  }
}
