package dev.chatflow.client.report;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Samples;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.SeriesSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

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
          .create();

  /** Writes what cannot be computed again. */
  void write(Path directory) throws IOException {
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
      throw new InvalidPlan("no readable run in " + directory + ": " + e.getMessage());
    }
  }

  private static Observations observations(Path directory, Observations stored) throws IOException {
    List<Observations.Scrape> scrapes = new ArrayList<>();
    for (int i = 0; i < stored.scrapes().size(); i++) {
      scrapes.add(
          new Observations.Scrape(stored.scrapes().get(i).source(), samples(scrape(directory, i))));
    }
    Observations.BrokerFigures broker = stored.broker();
    return new Observations(
        broker == null
            ? null
            : new Observations.BrokerFigures(
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
}
