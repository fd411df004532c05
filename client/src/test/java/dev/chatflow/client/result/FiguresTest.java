package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.report.JsonReport;
import dev.chatflow.client.report.ResultFiles;
import dev.chatflow.client.report.RunLog;
import dev.chatflow.client.report.SeveralReport;
import dev.chatflow.client.report.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that all outputs show the figures of the registry, which is their only definition. */
final class FiguresTest {
  private static final Path SCHEMA = Path.of("..", "docs", "measuring", "summary.schema.json");
  private static final List<String> SECTIONS =
      List.of("counts", "rates", "client", "observed.broker");
  private static final JsonElement ABSENT = JsonNull.INSTANCE;
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  @TempDir Path directory;

  private final StoredRun run = StoredRuns.observed();
  private final RunResult result = run.result();

  @Test
  void namesAndAliasesAreUnique() {
    Set<String> names = new HashSet<>();
    for (Figure figure : Figures.all()) {
      assertThat(names.add(figure.name())).as(figure.name()).isTrue();
      assertThat(figure.alias().isEmpty() || names.add(figure.alias())).as(figure.alias()).isTrue();
      assertThat(figure.label()).isNotEmpty();
    }
    assertThat(Figures.all()).hasSizeGreaterThan(60);
  }

  @Test
  void everyFigureHasAValueInARunThatObservedEverything() {
    assertThat(Figures.all())
        .allSatisfy(figure -> assertThat(figure.of(result)).as(figure.name()).isFinite());
  }

  @Test
  void everyFigureOfTheJsonResultIsPresent() {
    JsonObject json = JsonParser.parseString(JsonReport.of(result)).getAsJsonObject();
    for (Figure figure : Figures.all()) {
      if (figure.name().contains(".") && !figure.name().startsWith("delivery.")) {
        assertThat(at(json, figure.name())).as(figure.name()).isNotEqualTo(ABSENT);
      }
    }
    for (String section : SECTIONS) {
      Set<String> others = new HashSet<>(at(json, section).getAsJsonObject().keySet());
      Figures.section(section).forEach(figure -> others.remove(figure.field()));
      assertThat(others)
          .as("fields without a figure in " + section)
          .isSubsetOf("errorCodes", "closeCodes", "failures", "machine", "name", "alarms");
    }
  }

  @Test
  void schemaDescribesEveryFigure() throws IOException {
    JsonObject schema = JsonParser.parseString(Files.readString(SCHEMA)).getAsJsonObject();
    String before = GSON.toJson(schema);
    for (String section : SECTIONS) {
      describe(properties(schema, section), section);
    }
    JsonArray codes = new JsonArray();
    Arrays.stream(ExitCode.values())
        .filter(code -> code.compareTo(ExitCode.INTERRUPTED) <= 0)
        .mapToInt(ExitCode::number)
        .sorted()
        .forEach(codes::add);
    properties(schema, "verdict")
        .getAsJsonObject("properties")
        .getAsJsonObject("exitCode")
        .add("enum", codes);
    Path updated = Path.of("target", "summary.schema.json");
    Files.createDirectories(Path.of("target"));
    Files.writeString(updated, GSON.toJson(schema).replaceAll("(?m)^( +)\\1", "$1") + "\n");
    assertThat(GSON.toJson(schema))
        .as("%s does not match the registry: replace it with %s", SCHEMA, updated)
        .isEqualTo(before);
  }

  private static void describe(JsonObject object, String section) {
    JsonObject properties = object.getAsJsonObject("properties");
    JsonObject described = new JsonObject();
    properties.entrySet().stream()
        .filter(one -> isNoFigure(one.getValue()))
        .filter(one -> one.getKey().equals("machine") || one.getKey().equals("name"))
        .forEach(one -> described.add(one.getKey(), one.getValue()));
    for (Figure figure : Figures.section(section)) {
      JsonElement meaning = at(properties, figure.field() + ".description");
      assertThat(meaning).as("meaning of " + figure.name() + " in " + SCHEMA).isNotEqualTo(ABSENT);
      JsonObject field = new JsonObject();
      field.addProperty("type", type(figure.unit()));
      field.add("description", meaning);
      described.add(figure.field(), field);
    }
    properties.entrySet().stream()
        .filter(one -> isNoFigure(one.getValue()))
        .forEach(one -> described.add(one.getKey(), one.getValue()));
    object.add("properties", described);
  }

  private static boolean isNoFigure(JsonElement field) {
    String type = field.getAsJsonObject().get("type").getAsString();
    return type.equals("object") || type.equals("array") || type.equals("string");
  }

  private static String type(Unit unit) {
    return unit == Unit.YES_NO ? "boolean" : unit.isWhole() ? "integer" : "number";
  }

  private static JsonObject properties(JsonObject schema, String section) {
    JsonObject at = schema;
    for (String name : section.split("\\.", -1)) {
      at = at.getAsJsonObject("properties").getAsJsonObject(name);
    }
    return at;
  }

  @Test
  void everyFigureCanBeAnObjective() {
    for (Figure figure : Figures.all()) {
      for (String name : List.of(figure.name(), figure.alias())) {
        if (!name.isEmpty()) {
          Objectives.requireKnown(List.of(Objectives.parse(name + ">=0")), StoredRuns.observing());
        }
      }
    }
  }

  @Test
  void textReportShowsHeadlineAndTrustFigures() {
    String text = TextReport.of(result);
    for (Figure.Display display : List.of(Figure.Display.HEADLINE, Figure.Display.TRUST)) {
      assertThat(Figures.in(display))
          .isNotEmpty()
          .allSatisfy(figure ->
              assertThat(text).as(figure.name()).contains(figure.label(), figure.text(result)));
    }
    Figures.in(Figure.Display.IF_ANY)
        .forEach(figure ->
            assertThat(text.contains("  " + figure.label() + " "))
                .as(figure.name())
                .isEqualTo(figure.of(result) > 0));
  }

  @Test
  void everyOutputShowsItsFigures() throws IOException {
    ResultFiles.write(directory.resolve("one"), run, "");
    RunLog.append(directory, result);
    String page = Files.readString(directory.resolve("one/report.html"));
    shows(page, Figure.Display.HEADLINE, Figure::label);
    shows(page, Figure.Display.TRUST, Figure::label);
    shows(Files.readString(directory.resolve("index.csv")), Figure.Display.INDEX, Figure::column);
    shows(Files.readString(directory.resolve("TUNING.md")), Figure.Display.INDEX, Figure::label);

    SweepTable table = new SweepTable(List.of(Map.of("rooms", "2")));
    table.add(Map.of("rooms", "2"), run);
    SeveralReport.sweep(directory.resolve("sweep"), table, "all");
    shows(table.text(), Figure.Display.SWEEP, Figure::label);
    shows(table.csv(), Figure.Display.SWEEP, Figure::column);
    String sweep = Files.readString(directory.resolve("sweep/report.html"));
    shows(sweep, Figure.Display.SWEEP, figure -> "chart-compare-" + figure.field());

    shows(StepTable.head(result.plan()), Figure.Display.STEP, Figure::label);
    shows(
        StepTable.row(10, result, 0).line(false),
        Figure.Display.STEP,
        figure -> figure.unit().number(figure.of(result)));

    JsonObject json = JsonParser.parseString(JsonReport.of(result)).getAsJsonObject();
    assertThat(Comparison.of(json, json).deltas().stream().map(Comparison.Delta::figure))
        .containsExactlyElementsOf(Figures.in(Figure.Display.COMPARE));
  }

  private static void shows(String text, Figure.Display display, Function<Figure, String> what) {
    assertThat(Figures.in(display))
        .isNotEmpty()
        .allSatisfy(figure -> assertThat(text).as(figure.name()).contains(what.apply(figure)));
  }

  private static JsonElement at(JsonObject json, String path) {
    JsonElement at = json;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof JsonObject object && object.has(name) ? object.get(name) : ABSENT;
    }
    return at;
  }
}
