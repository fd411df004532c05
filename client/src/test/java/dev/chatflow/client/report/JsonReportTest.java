package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.verify.Defect;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the JSON result, which must stay compatible with its readers. */
final class JsonReportTest {
  /** A text for people. The first version reported 0 deliveries for runs without listeners. */
  private static final String HEADLINE = "verdict.headline";

  /** The client's first version wrote the summary in the directory of each stored run. */
  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void summaryOfAStoredRunIsUnchangedSinceTheFirstVersion(String name) throws IOException {
    String before = Files.readString(StoredRuns.directory(name).resolve("summary.json"));
    List<String> differences = new ArrayList<>();
    differ("", parse(before), parse(JsonReport.of(StoredRuns.read(name).result())), differences);
    assertThat(differences).isEmpty();
  }

  private static void differ(
      String path, JsonElement before, JsonElement now, List<String> differences) {
    if (!(before instanceof JsonObject old) || !(now instanceof JsonObject fresh)) {
      if (!before.equals(now) && !path.equals(HEADLINE)) {
        differences.add(path + ": " + before + " -> " + now);
      }
      return;
    }
    for (Map.Entry<String, JsonElement> field : old.entrySet()) {
      String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      if (fresh.has(field.getKey())) {
        differ(name, field.getValue(), fresh.get(field.getKey()), differences);
      } else {
        differences.add(name + " is missing");
      }
    }
    for (String name : fresh.keySet()) {
      boolean newer = Figures.named(path + "." + name).isPresent(); // figures may be added
      if (!old.has(name) && !newer) {
        differences.add(path + "." + name + " is new");
      }
    }
  }

  @Test
  void unobservedFiguresAreAbsent() {
    JsonObject json = parse(JsonReport.of(StoredRuns.read("closed").result()));
    assertThat(json.getAsJsonObject("observed").has("broker")).isFalse();
    assertThat(json.getAsJsonObject("latencyMicros").getAsJsonObject("echo").keySet())
        .as("only service times without a schedule")
        .containsExactly("service");
  }

  @Test
  void observedBrokerIsIncludedWithItsName() {
    JsonObject json = parse(JsonReport.of(StoredRuns.observed().result()));
    JsonObject broker = json.getAsJsonObject("observed").getAsJsonObject("broker");
    assertThat(broker.get("name").getAsString()).isEqualTo("RabbitMQ 4.0");
    assertThat(broker.get("queuePeak").getAsLong()).isEqualTo(212);
    assertThat(broker.get("publishPerSecond").getAsDouble()).isEqualTo(436);
    assertThat(json.getAsJsonObject("observed").getAsJsonArray("complaints")).hasSize(1);
  }

  @Test
  void unknownQueueDepthAtTheEndIsAbsent() {
    Changed run = Changed.observed();
    BrokerFigures seen = run.result().observations().broker();
    assertThat(seen).isNotNull();
    BrokerFigures unknown =
        new BrokerFigures(
            seen.name(), seen.depth(), seen.rates(), seen.viaApi(), seen.alarms(), -1);
    RunResult result = run.broker(unknown).result();
    JsonObject json = parse(JsonReport.of(result)).getAsJsonObject("observed");
    assertThat(json.getAsJsonObject("broker").has("queueEnd")).isFalse();
  }

  @Test
  void examplesOfDefectsAreListed() {
    JsonObject verdict =
        parse(JsonReport.of(Changed.run("closed").found(Defect.DUPLICATE, 2).result()))
            .getAsJsonObject("verdict");
    assertThat(verdict.get("exitCode").getAsInt()).isEqualTo(4);
    assertThat(verdict.getAsJsonObject("defects").get("duplicate").getAsLong()).isEqualTo(2);
    JsonObject example = verdict.getAsJsonArray("examples").get(0).getAsJsonObject();
    assertThat(example.get("defect").getAsString()).isEqualTo("duplicate");
    assertThat(example.get("receiver").getAsInt()).isZero();
  }

  /** Objectives contain {@code ==}, which must stay readable in the file. */
  @Test
  void signsAreNotEscapedAsInHtml() {
    assertThat(JsonReport.of(StoredRuns.read("closed").result()))
        .contains("accepted == attempted ok")
        .doesNotContain("\\u003d");
  }

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }
}
