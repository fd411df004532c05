package dev.chatflow.client.result;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.broker.BrokerFigures;
import dev.chatflow.client.observe.page.Scrape;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.series.Samples;
import dev.chatflow.client.series.SeriesSet;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A run as it lies in its directory: counts in {@code record.json}, histograms in {@code
 * latency.hlog}, courses in CSV files. From these every report can be made again. Immutable.
 */
public record StoredRun(RunResult result, Intervals intervals) {
  private static final String RECORD = "record.json";
  private static final Pattern SECRET =
      Pattern.compile(".*(token|secret|password|header|authorization).*");
  private static final Gson GSON =
      new GsonBuilder()
          .addSerializationExclusionStrategy(new Secrets())
          .registerTypeAdapter(Duration.class, new Text<>(Duration::parse))
          .registerTypeAdapter(Instant.class, new Text<>(Instant::parse))
          .registerTypeAdapter(SeriesSet.class, new Elsewhere<>(SeriesSet::new))
          .registerTypeAdapter(Samples.class, new Elsewhere<>(Samples::new))
          .registerTypeAdapter(Tally.class, new Counts())
          .disableHtmlEscaping()
          .create();

  /** Writes what cannot be computed again. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(RECORD), GSON.toJson(result) + "\n");
    Files.writeString(directory.resolve("latency.hlog"), intervals.log());
    Files.writeString(directory.resolve("intervals.csv"), intervals.csv());
    Observations seen = result.observations();
    Files.writeString(directory.resolve("client.csv"), seen.own().csv());
    if (seen.broker() != null) {
      Files.writeString(directory.resolve("broker.csv"), seen.broker().depth().csv());
      Files.writeString(directory.resolve("broker-rates.csv"), seen.broker().rates().csv());
    }
    for (int i = 0; i < seen.scrapes().size(); i++) {
      Files.writeString(scrape(directory, i), seen.scrapes().get(i).samples().csv());
    }
  }

  /** Reads a run again; a directory without one is a wrong argument. */
  public static StoredRun read(Path directory) {
    try {
      RunResult stored =
          GSON.fromJson(Files.readString(directory.resolve(RECORD)), RunResult.class);
      Intervals intervals =
          Intervals.read(
              Files.readString(directory.resolve("intervals.csv")),
              Files.readString(directory.resolve("latency.hlog")),
              stored.mainClock(),
              Events.read(directory, stored.record().started()));
      RunRecord record = stored.record().withSeries(intervals.totals());
      return new StoredRun(
          stored.with(record, observations(directory, stored.observations())), intervals);
    } catch (IOException | JsonParseException e) {
      throw CommandFailure.usage("no readable run in " + directory + ": " + e.getMessage());
    }
  }

  private static Observations observations(Path directory, Observations stored) throws IOException {
    List<Scrape> scrapes = new ArrayList<>();
    for (int i = 0; i < stored.scrapes().size(); i++) {
      scrapes.add(new Scrape(stored.scrapes().get(i).source(), samples(scrape(directory, i))));
    }
    BrokerFigures broker = stored.broker();
    return new Observations(
        broker == null
            ? null
            : new BrokerFigures(
                broker.name(),
                samples(directory.resolve("broker.csv")),
                samples(directory.resolve("broker-rates.csv")),
                broker.viaApi(),
                broker.alarms(),
                broker.left()),
        samples(directory.resolve("client.csv")),
        scrapes,
        stored.consumer(),
        stored.complaints());
  }

  private static Path scrape(Path directory, int index) {
    return directory.resolve("scrape-" + (index + 1) + ".csv");
  }

  private static Samples samples(Path file) throws IOException {
    return Samples.parse(Files.readString(file));
  }

  /** Leaves everything out whose name says that it is a secret. */
  private static final class Secrets implements ExclusionStrategy {
    @Override
    public boolean shouldSkipField(FieldAttributes field) {
      return SECRET.matcher(field.getName().toLowerCase(Locale.ROOT)).matches();
    }

    @Override
    public boolean shouldSkipClass(Class<?> type) {
      return false;
    }
  }

  /** Writes a value as its text. */
  private static final class Text<T> extends TypeAdapter<T> {
    private final java.util.function.Function<String, T> parse;

    private Text(java.util.function.Function<String, T> parse) {
      this.parse = parse;
    }

    @Override
    public void write(JsonWriter out, T value) throws IOException {
      out.value(String.valueOf(value));
    }

    @Override
    public T read(JsonReader in) throws IOException {
      return parse.apply(in.nextString());
    }
  }

  /** Leaves out what another file holds. */
  private static final class Elsewhere<T> extends TypeAdapter<T> {
    private final java.util.function.Supplier<T> empty;

    private Elsewhere(java.util.function.Supplier<T> empty) {
      this.empty = empty;
    }

    @Override
    public void write(JsonWriter out, T value) throws IOException {
      out.value("in another file");
    }

    @Override
    public T read(JsonReader in) throws IOException {
      in.skipValue();
      return empty.get();
    }
  }

  /** A tally as one object: {@code textsWritten} and so on, then its maps. */
  private static final class Counts implements JsonSerializer<Tally>, JsonDeserializer<Tally> {
    private static final Type CODES = new TypeToken<Map<Integer, Long>>() {}.getType();
    private static final Type TEXTS = new TypeToken<Map<String, Long>>() {}.getType();

    @Override
    public JsonElement serialize(Tally tally, Type type, JsonSerializationContext context) {
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

    /** What a run of another version did not count is 0. */
    @Override
    public Tally deserialize(JsonElement element, Type type, JsonDeserializationContext context) {
      JsonObject json = element.getAsJsonObject();
      Tally tally = new Tally();
      for (Count count : Count.values()) {
        tally.add(count, json.has(nameOf(count)) ? json.get(nameOf(count)).getAsLong() : 0);
      }
      tally.inFlight(1, Math.round(json.get("inFlightNanos").getAsDouble()));
      tally.errorCodes().putAll(context.deserialize(json.get("errorCodes"), TEXTS));
      tally.closeCodes().putAll(context.deserialize(json.get("closeCodes"), CODES));
      tally.failures().putAll(context.deserialize(json.get("failures"), TEXTS));
      return tally;
    }

    private static String nameOf(Count count) {
      String[] words = count.name().toLowerCase(Locale.ROOT).split("_", -1);
      return Arrays.stream(words)
          .skip(1)
          .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
          .collect(Collectors.joining("", words[0], ""));
    }
  }
}
