package dev.chatflow.client.report;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.record.RoomFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Writes a run into its directory, and one row of it into the index beside. Stateless. */
public final class ResultFiles {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final String INDEX_HEADER =
      "started,label,exitCode,rooms,roomSize,texts,model,threads,windowSeconds,acceptedPerSecond,"
          + "deliveriesPerSecond,deliveryP99Ms,lost,duplicates,reordered,cpuMicrosPerDelivery\n";

  private ResultFiles() {}

  /** {@code results/<UTC>-<label>}. */
  public static Path defaultDirectory(Instant started, String label) {
    return Path.of(
        "results", NAME.format(started) + "-" + label.replaceAll("[^A-Za-z0-9._-]", "-"));
  }

  public static void write(
      Path directory, RunResult result, Intervals intervals, List<String> command)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("run.json"), run(result, command));
    Files.writeString(directory.resolve("summary.json"), JsonReport.of(result) + "\n");
    Files.writeString(directory.resolve("summary.txt"), TextReport.of(result));
    Files.writeString(directory.resolve("summary.seed.txt"), SeedReport.of(result));
    Files.writeString(directory.resolve("summary.skier.txt"), SkierReport.of(result));
    Files.writeString(directory.resolve("latency.hlog"), intervals.log());
    Files.writeString(directory.resolve("intervals.csv"), intervals.csv());
    Files.writeString(directory.resolve("throughput_10s.csv"), buckets(result, intervals));
    Files.writeString(directory.resolve("rooms.csv"), rooms(result));
    observed(directory, result.observations());
    Files.writeString(directory.resolve("report.html"), HtmlReport.of(result, intervals, command));
    index(directory, result);
  }

  private static void observed(Path directory, Observations seen) throws IOException {
    Files.writeString(directory.resolve("client.csv"), seen.own().csv());
    if (seen.broker() != null) {
      Files.writeString(directory.resolve("broker.csv"), seen.broker().depth().csv());
      Files.writeString(directory.resolve("broker-rates.csv"), seen.broker().rates().csv());
    }
    for (int i = 0; i < seen.scrapes().size(); i++) {
      Files.writeString(
          directory.resolve("scrape-" + (i + 1) + ".csv"), seen.scrapes().get(i).samples().csv());
    }
  }

  private static void index(Path directory, RunResult result) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null) {
      return;
    }
    Path index = parent.resolve("index.csv");
    if (!Files.exists(index)) {
      Files.writeString(index, INDEX_HEADER);
    }
    Files.writeString(index, indexRow(result), StandardOpenOption.APPEND);
    Files.writeString(
        parent.resolve("TUNING.md"),
        "\n## "
            + result.label()
            + " - "
            + result.record().started()
            + "\n\n```\n"
            + TextReport.of(result)
            + "```\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static String indexRow(RunResult result) {
    JsonObject json = new com.google.gson.Gson().fromJson(JsonReport.of(result), JsonObject.class);
    JsonObject plan = json.getAsJsonObject("plan");
    JsonObject rates = json.getAsJsonObject("rates");
    JsonObject defects = json.getAsJsonObject("verdict").getAsJsonObject("defects");
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%s,%s,%s,%s,%s,%.3f,%.0f,%.0f,%.3f,%s,%s,%s,%.3f%n",
        result.record().started(),
        result.label().replace(',', ' '),
        result.verdict().exitCode(),
        plan.get("rooms"),
        plan.get("roomSize"),
        plan.get("texts"),
        plan.get("model").getAsString(),
        plan.get("threads"),
        result.record().windowSeconds(),
        rates.get("acceptedPerSecond").getAsDouble(),
        rates.get("deliveriesPerSecond").getAsDouble(),
        result.deliveryPercentile(99) / 1e3,
        defects.get("lost"),
        defects.get("duplicate"),
        defects.get("reordered"),
        result.cpuMicrosPerDelivery());
  }

  private static String run(RunResult result, List<String> command) {
    JsonObject json = new JsonObject();
    json.addProperty("schemaVersion", JsonReport.SCHEMA_VERSION);
    json.addProperty("version", result.version());
    json.addProperty("label", result.label());
    json.addProperty("started", result.record().started().toString());
    json.addProperty("seed", result.plan().seed());
    json.addProperty("machine", result.machine().line());
    JsonArray arguments = new JsonArray();
    command.forEach(arguments::add);
    json.add("arguments", arguments);
    JsonArray servers = new JsonArray();
    for (ServerHealth server : result.servers()) {
      JsonObject one = new JsonObject();
      one.addProperty("health", server.page().toString());
      one.addProperty("answer", server.description());
      servers.add(one);
    }
    json.add("servers", servers);
    return new GsonBuilder().setPrettyPrinting().create().toJson(json) + "\n";
  }

  private static String rooms(RunResult result) {
    StringBuilder csv =
        new StringBuilder("room,users,sent,accepted,delivered,throughput,meanEchoMs\n");
    for (RoomFigures room : result.record().rooms()) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%d,%d,%d,%d,%d,%.1f,%.3f%n",
              room.room(),
              room.users(),
              room.sent(),
              room.accepted(),
              room.delivered(),
              room.throughput(),
              room.meanEchoMillis()));
    }
    return csv.toString();
  }

  private static String buckets(RunResult result, Intervals intervals) {
    StringBuilder csv = new StringBuilder("bucketStartMillis,count,throughputMsgPerSec\n");
    long start = result.record().started().toEpochMilli();
    java.util.TreeMap<Long, Long> sums = new java.util.TreeMap<>();
    for (Intervals.Row row : intervals.rows()) {
      sums.merge((long) ((row.seconds() - row.length() / 2) / 10), row.delivered(), Long::sum);
    }
    sums.forEach((bucket, count) ->
        csv.append(
            String.format(
                Locale.ROOT, "%d,%d,%.1f%n", start + bucket * 10_000, count, count / 10.0)));
    return csv.toString();
  }
}
