package dev.chatflow.client.analyse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  @Test
  void slowerIsWorseAndFasterIsBetter() {
    Comparison comparison = Comparison.of(run(20, 1000, 50, 5), run(25, 800, 60, 5));
    assertThat(comparison.worst()).isCloseTo(0.25, within(1e-9));
    assertThat(comparison.configuration()).isEmpty();
    assertThat(Comparison.of(run(25, 800, 60, 5), run(20, 1000, 50, 5)).worst()).isZero();
  }

  @Test
  void otherWorkloadsAreNamed() {
    assertThat(Comparison.of(run(1, 1, 1, 5), run(1, 1, 1, 6)).configuration())
        .containsExactly("rooms: 5 -> 6");
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
