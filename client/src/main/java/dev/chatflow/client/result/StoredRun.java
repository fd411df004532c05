package dev.chatflow.client.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.record.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A run in its directory: counts in {@code record.json}, histograms in {@code latency.hlog}, time
 * series in CSV files. All reports can be rebuilt from these. Immutable.
 */
public record StoredRun(RunResult result, Intervals intervals) {
  private static final String RECORD = "record.json";
  private static final Gson GSON = gson();

  /** Writes everything that cannot be derived. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(RECORD), GSON.toJson(result) + "\n");
    Files.writeString(directory.resolve("latency.hlog"), intervals.log());
    Files.writeString(directory.resolve("intervals.csv"), intervals.csv());
    for (Map.Entry<String, Samples> course : courses(result.observations()).entrySet()) {
      Files.writeString(directory.resolve(course.getKey()), course.getValue().csv());
    }
  }

  /** Reads a run; rejects a directory without one. */
  public static StoredRun read(Path directory) {
    try {
      RunResult result =
          GSON.fromJson(Files.readString(directory.resolve(RECORD)), RunResult.class);
      Intervals intervals =
          Intervals.read(
              Files.readString(directory.resolve("intervals.csv")),
              Files.readString(directory.resolve("latency.hlog")),
              result.mainClock(),
              events(directory, result.record().started()));
      intervals.addTo(result.record().series());
      for (Map.Entry<String, Samples> course : courses(result.observations()).entrySet()) {
        course.getValue().read(Files.readString(directory.resolve(course.getKey())));
      }
      return new StoredRun(result, intervals);
    } catch (IOException | JsonParseException e) {
      throw CommandFailure.usage("no run can be read from " + directory + ": " + e.getMessage());
    }
  }

  /**
   * Returns the events in the file {@code events}: lines with an instant and a text, such as {@code
   * 2026-11-20T19:01:30Z broker restarted}. Ignores lines without an instant.
   */
  private static List<Intervals.Event> events(Path directory, Instant started) throws IOException {
    Path file = directory.resolve("events");
    if (!Files.isReadable(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .flatMap(line -> event(line.strip().split("\\s+", 2), started).stream())
        .toList();
  }

  private static Optional<Intervals.Event> event(String[] parts, Instant started) {
    try {
      Duration since = Duration.between(started, Instant.parse(parts[0]));
      String label = parts.length < 2 ? "" : parts[1];
      return Optional.of(new Intervals.Event(since.toMillis() / 1e3, label));
    } catch (DateTimeException e) {
      return Optional.empty(); // cannot be drawn without an instant
    }
  }

  /** Returns the observed time series by file. */
  private static Map<String, Samples> courses(Observations seen) {
    Map<String, Samples> courses = new LinkedHashMap<>();
    courses.put("client.csv", seen.own());
    if (seen.broker() != null) {
      courses.put("broker.csv", seen.broker().depth());
      courses.put("broker-rates.csv", seen.broker().rates());
    }
    for (int i = 0; i < seen.scrapes().size(); i++) {
      courses.put("scrape-" + (i + 1) + ".csv", seen.scrapes().get(i).samples());
    }
    return courses;
  }

  private static Gson gson() {
    JsonSerializer<Object> text = (value, _, _) -> new JsonPrimitive(value.toString());
    JsonSerializer<Object> elsewhere = (_, _, _) -> new JsonPrimitive("in another file");
    JsonSerializer<Tally> counts = (tally, _, context) -> json(tally, context);
    return new GsonBuilder()
        .registerTypeAdapter(Duration.class, text)
        .registerTypeAdapter(Duration.class, read(json -> Duration.parse(json.getAsString())))
        .registerTypeAdapter(Instant.class, text)
        .registerTypeAdapter(Instant.class, read(json -> Instant.parse(json.getAsString())))
        .registerTypeAdapter(SeriesSet.class, elsewhere)
        .registerTypeAdapter(SeriesSet.class, read(_ -> new SeriesSet()))
        .registerTypeAdapter(Samples.class, elsewhere)
        .registerTypeAdapter(Samples.class, read(_ -> new Samples()))
        .registerTypeAdapter(Tally.class, counts)
        .registerTypeAdapter(Tally.class, read(json -> tally(json.getAsJsonObject())))
        .disableHtmlEscaping()
        .create();
  }

  private static <T> JsonDeserializer<T> read(Function<JsonElement, T> reader) {
    return (json, _, _) -> reader.apply(json);
  }

  /** Converts a tally to an object: {@code textsWritten} and so on, then its maps. */
  private static JsonObject json(Tally tally, JsonSerializationContext context) {
    JsonObject json = new JsonObject();
    for (Count count : Count.values()) {
      json.addProperty(nameOf(count), tally.of(count));
    }
    json.addProperty("inFlightNanos", tally.inFlightNanos());
    json.add("errorCodes", context.serialize(tally.errorCodes()));
    json.add("closeCodes", context.serialize(tally.closeCodes()));
    json.add("failures", context.serialize(tally.failures()));
    return json;
  }

  /** Reads a tally; missing counts of other versions are 0. */
  private static Tally tally(JsonObject json) {
    Tally tally = new Tally();
    for (Count count : Count.values()) {
      tally.add(count, json.has(nameOf(count)) ? json.get(nameOf(count)).getAsLong() : 0);
    }
    tally.inFlight(1, Math.round(json.get("inFlightNanos").getAsDouble()));
    numbers(json, "errorCodes").forEach(tally.errorCodes()::put);
    numbers(json, "closeCodes")
        .forEach((code, number) -> tally.closeCodes().put(Integer.valueOf(code), number));
    numbers(json, "failures").forEach(tally.failures()::put);
    return tally;
  }

  private static Map<String, Long> numbers(JsonObject json, String name) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    json.getAsJsonObject(name)
        .asMap()
        .forEach((key, number) -> numbers.put(key, number.getAsLong()));
    return numbers;
  }

  private static String nameOf(Count count) {
    String[] words = count.name().toLowerCase(Locale.ROOT).split("_", -1);
    return Arrays.stream(words)
        .skip(1)
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining("", words[0], ""));
  }
}
