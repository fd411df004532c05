package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the published JSON Schema describes exactly the fields of a result. */
final class SummarySchemaIT {
  private final JsonObject schema = schema();

  @Test
  void everyFieldOfARunWithResponseAndServiceTimesIsDescribed() {
    assertThat(wrong(result(Defects.none(), "-R", "500", "-d", "300ms", "--signals", "50")))
        .isEmpty();
  }

  @Test
  void everyFieldOfAFailedRunIsDescribed() {
    assertThat(wrong(result(Defects.of(Defects.Kind.DROP, 7, 3), "-m", "20", "--drain", "300ms")))
        .isEmpty();
  }

  @Test
  void deviationsFromTheSchemaAreFound() {
    JsonObject json = result(Defects.none(), "-m", "2");
    json.getAsJsonObject("rates").addProperty("surprise", 1);
    json.getAsJsonObject("counts").addProperty("sent", "many");
    json.remove("rooms");
    assertThat(wrong(json))
        .containsExactlyInAnyOrder(
            "result.rates.surprise is not described",
            "result.counts.sent is no integer",
            "result.rooms is missing");
  }

  private static JsonObject result(Defects defects, String... more) {
    Terminal terminal = new Terminal();
    try (FakeServer server = FakeServer.start(defects)) {
      List<String> all = new ArrayList<>(List.of("-q", "--format", "json", "-r", "2", "-u", "3"));
      all.addAll(List.of(more));
      all.add(server.url());
      terminal.run(all.toArray(String[]::new));
    }
    return terminal.json();
  }

  private List<String> wrong(JsonObject json) {
    List<String> wrong = new ArrayList<>();
    check("result", json, schema, wrong);
    return wrong;
  }

  /** Implements the subset of JSON Schema that the file uses. */
  private void check(String path, JsonElement value, JsonObject rule, List<String> wrong) {
    if (rule.has("$ref")) {
      String name = rule.get("$ref").getAsString().substring("#/$defs/".length());
      check(path, value, schema.getAsJsonObject("$defs").getAsJsonObject(name), wrong);
      return;
    }
    String type = rule.get("type").getAsString();
    if (!is(value, type)) {
      wrong.add(path + " is no " + type);
    } else if (value instanceof JsonObject object) {
      fields(path, object, rule, wrong);
    } else if (value instanceof JsonArray array && rule.has("items")) {
      array.forEach(item -> check(path + "[]", item, rule.getAsJsonObject("items"), wrong));
    } else if (rule.has("enum") && !rule.getAsJsonArray("enum").contains(value)) {
      wrong.add(path + " is none of its values");
    } else if (rule.has("const") && !rule.get("const").equals(value)) {
      wrong.add(path + " is another value");
    }
  }

  private void fields(String path, JsonObject object, JsonObject rule, List<String> wrong) {
    if (rule.has("required")) {
      for (JsonElement name : rule.getAsJsonArray("required")) {
        if (!object.has(name.getAsString())) {
          wrong.add(path + "." + name.getAsString() + " is missing");
        }
      }
    }
    for (Map.Entry<String, JsonElement> field : object.entrySet()) {
      JsonElement described = described(field.getKey(), rule);
      if (described instanceof JsonObject known) {
        check(path + "." + field.getKey(), field.getValue(), known, wrong);
      } else if (described.isJsonPrimitive() && !described.getAsBoolean()) {
        wrong.add(path + "." + field.getKey() + " is not described");
      }
    }
  }

  /**
   * Returns the schema of a field. For a field without one, returns a boolean: whether it is
   * allowed.
   */
  private static JsonElement described(String name, JsonObject rule) {
    if (rule.has("properties") && rule.getAsJsonObject("properties").has(name)) {
      return rule.getAsJsonObject("properties").get(name);
    }
    if (rule.has("patternProperties")) {
      for (Map.Entry<String, JsonElement> one :
          rule.getAsJsonObject("patternProperties").entrySet()) {
        if (name.matches(one.getKey())) {
          return one.getValue();
        }
      }
    }
    return rule.has("additionalProperties")
        ? rule.get("additionalProperties")
        : JsonParser.parseString("true");
  }

  private static boolean is(JsonElement value, String type) {
    return switch (type) {
      case "object" -> value.isJsonObject();
      case "array" -> value.isJsonArray();
      case "string" -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
      case "boolean" -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean();
      case "number" -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber();
      case "integer" -> value.isJsonPrimitive() && value.getAsString().matches("-?[0-9]+");
      default -> throw new IllegalArgumentException("the schema has a type " + type);
    };
  }

  private static JsonObject schema() {
    Path file = Path.of("..", "docs", "measuring", "summary.schema.json");
    try {
      return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
