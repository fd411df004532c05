package dev.chatflow.client.report;

import static dev.chatflow.client.record.Csv.column;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.chatflow.client.compat.Export;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.ServerFigures;
import dev.chatflow.client.result.StoredRun;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Writes the files of a run. Stateless. */
public final class ResultFiles {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** The file with the arguments that repeat a run. */
  public static final String ARGUMENTS = "run.args";

  /** The file with the order of messages in each room, if it was kept. */
  public static final String ORDER = "order.csv";

  private ResultFiles() {}

  /** Returns {@code results/<UTC>-<label>}. */
  public static Path defaultDirectory(Instant started, String label) {
    return Path.of(
        "results", NAME.format(started) + "-" + label.replaceAll("[^A-Za-z0-9._-]", "-"));
  }

  /** Returns whether the directory contains a run or a sweep. */
  public static boolean holdsRun(Path directory) {
    return Files.exists(directory.resolve("record.json"))
        || Files.exists(directory.resolve("sweep.csv"));
  }

  /**
   * Writes everything about a run.
   *
   * @param arguments an argument file that repeats it
   */
  public static void write(Path directory, StoredRun run, String arguments) throws IOException {
    run.write(directory);
    Files.writeString(directory.resolve(ARGUMENTS), arguments);
    render(directory, StoredRun.read(directory)); // as any later report does
  }

  /** Writes everything that derives from the stored figures. */
  public static void render(Path directory, StoredRun run) throws IOException {
    RunResult result = run.result();
    Files.writeString(directory.resolve("run.json"), run(result));
    Files.writeString(directory.resolve("summary.json"), JsonReport.of(result) + "\n");
    Files.writeString(directory.resolve("summary.txt"), TextReport.of(result));
    Files.writeString(directory.resolve("rooms.csv"), rooms(result));
    Files.writeString(directory.resolve("senders.csv"), senders(result));
    Files.writeString(directory.resolve("servers.csv"), servers(result));
    Files.writeString(directory.resolve("report.html"), HtmlReport.of(result, run.intervals()));
    charts(directory, new RunCharts(result, run.intervals()).all());
    percentiles(directory, result);
    Export.summaries(directory, result);
  }

  /** Writes each chart as a file in {@code charts}. */
  public static void charts(Path directory, List<Chart> charts) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("charts"));
    for (Chart chart : charts.stream().filter(chart -> !chart.isEmpty()).toList()) {
      Files.writeString(folder.resolve(chart.name() + ".svg"), chart.file());
    }
  }

  /** Writes percentile distributions for the HdrHistogram plotter, in milliseconds. */
  private static void percentiles(Path directory, RunResult result) throws IOException {
    for (Series series : List.of(Series.ECHO, Series.DELIVERY)) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      try (PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8)) {
        result
            .record()
            .series()
            .of(series, result.mainClock())
            .outputPercentileDistribution(out, 1_000.0);
      }
      Files.write(directory.resolve(series.label() + ".hgrm"), text.toByteArray());
    }
  }

  /** Writes {@code order.csv}: the order of messages in each room. */
  public static void order(Path directory, Stream<RoomFigures.SeenMessage> order)
      throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(directory.resolve(ORDER))) {
      out.write(Csv.line(List.of("room", "part", "messageId", "join")));
      for (Iterator<RoomFigures.SeenMessage> each = order.iterator(); each.hasNext(); ) {
        RoomFigures.SeenMessage seen = each.next();
        out.write(Csv.line(List.of(seen.room(), seen.part(), seen.messageId(), seen.joinMicros())));
      }
    }
  }

  private static String run(RunResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("schemaVersion", JsonReport.SCHEMA_VERSION);
    json.addProperty("version", result.version());
    json.addProperty("label", result.label());
    json.addProperty("started", result.record().started().toString());
    json.addProperty("seed", result.plan().seed());
    json.addProperty("machine", result.machine().line());
    Gson gson = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    json.add("arguments", gson.toJsonTree(result.tag().arguments()));
    json.add("options", gson.toJsonTree(result.tag().options()));
    json.add("notes", gson.toJsonTree(result.tag().notes()));
    JsonArray servers = new JsonArray();
    for (ServerHealth server : result.servers()) {
      JsonObject one = new JsonObject();
      one.addProperty("health", server.page().toString());
      one.addProperty("answer", server.description());
      servers.add(one);
    }
    json.add("servers", servers);
    json.add("settings", gson.toJsonTree(result.observations().serverSettings()));
    return gson.toJson(json) + "\n";
  }

  private static String servers(RunResult result) {
    return Csv.of(
        ServerFigures.of(result),
        column("server", ServerFigures::name),
        column("connections", ServerFigures::connections),
        column("deliveries", ServerFigures::deliveries),
        column("meanDeliveryMs", ServerFigures::meanMillis));
  }

  private static String rooms(RunResult result) {
    return Csv.of(
        result.record().rooms(),
        column("room", RoomFigures::room),
        column("users", RoomFigures::users),
        column("sent", RoomFigures::sent),
        column("accepted", RoomFigures::accepted),
        column("delivered", RoomFigures::delivered),
        column("throughput", RoomFigures::throughput),
        column("meanEchoMs", RoomFigures::meanEchoMillis),
        column("p50EchoMs", RoomFigures::medianEchoMillis),
        column("p99EchoMs", RoomFigures::p99EchoMillis));
  }

  /** Returns the counts that are compared with the standalone consumer's. */
  private static String senders(RunResult result) {
    return Csv.of(
        result.record().senders(),
        column("room", SenderFigures::room),
        column("userId", SenderFigures::userId),
        column("username", SenderFigures::username),
        column("joins", SenderFigures::joins),
        column("texts", SenderFigures::texts),
        column("leaves", SenderFigures::leaves),
        column("resent", SenderFigures::resent),
        column("refused", SenderFigures::refused));
  }
}
