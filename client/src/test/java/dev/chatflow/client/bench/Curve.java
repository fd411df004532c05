package dev.chatflow.client.bench;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.chart.BarChart;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a delivery costs the client, against how many frames the server puts into one write: a table
 * on stderr, JSON on stdout.
 *
 * <p>Arguments: the client's jar, runs per point (5), messages per user (500), points
 * (1,4,16,64,256). Every run is a client process of its own against a fresh {@link Blaster}; CPU is
 * what the kernel counts for the process from the first send to the last delivery.
 *
 * <p>With {@code chart FILE.svg} in front, the arguments are files of such JSON, drawn together.
 */
final class Curve {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  record Point(double micros, double framesPerRead, double heapMegabytes, long deliveries) {}

  private Curve() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments[0].equals("chart")) {
      draw(Path.of(arguments[1]), List.of(arguments).subList(2, arguments.length));
      return;
    }
    String jar = arguments[0];
    int runs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    String messages = arguments.length > 2 ? arguments[2] : "500";
    String points = arguments.length > 3 ? arguments[3] : "1,4,16,64,256";
    JsonArray curve = new JsonArray();
    System.err.printf(
        Locale.ROOT,
        "%-16s %14s %12s %12s %12s %12s%n",
        "frames per write",
        "frames per read",
        "us median",
        "us least",
        "us most",
        "heap MB");
    for (String frames : points.split(",", -1)) {
      List<Point> measured = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        measured.add(measure(jar, frames, messages));
      }
      curve.add(summary(Integer.parseInt(frames), measured));
    }
    System.out.println(new GsonBuilder().setPrettyPrinting().create().toJson(curve));
  }

  private static void draw(Path picture, List<String> files) throws IOException {
    BarChart chart =
        BarChart.of("client-cost", "CPU of the client per delivery, by frames per read", "us");
    for (String file : files) {
      for (JsonElement one :
          JsonParser.parseString(Files.readString(Path.of(file))).getAsJsonArray()) {
        JsonObject point = one.getAsJsonObject();
        String label = String.format(Locale.ROOT, "%.0f", point.get("framesPerRead").getAsDouble());
        chart.bars(label, point.get("microsPerDelivery").getAsDouble());
      }
    }
    Files.writeString(picture, chart.draw().file());
  }

  /** One run of a client against a fresh server. */
  static Point measure(String jar, String frames, String messages)
      throws IOException, InterruptedException {
    Process server =
        new ProcessBuilder(
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=12g",
                "-cp",
                System.getProperty("java.class.path"),
                Blaster.class.getName(),
                frames)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader line = server.inputReader(StandardCharsets.US_ASCII)) {
      return client(jar, String.valueOf(line.readLine()), messages);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static Point client(String jar, String url, String messages)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("client-gc", ".log");
    Process client =
        new ProcessBuilder(
                JAVA,
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-Xlog:gc+heap*=info,gc:file=" + log,
                "-jar",
                jar,
                "run",
                "--quiet",
                "--out=none",
                "--format=json",
                "--messages=" + messages,
                url)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String json = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = client.waitFor();
    if (code != 0) {
      throw new IllegalStateException("the client ended with " + code + ": " + json);
    }
    JsonObject result = JsonParser.parseString(json).getAsJsonObject();
    JsonObject cost = result.getAsJsonObject("client");
    double heap = heapAfterLastCollection(log);
    Files.delete(log);
    return new Point(
        cost.get("cpuMicrosPerDelivery").getAsDouble(),
        cost.get("framesPerRead").getAsDouble(),
        heap,
        result.getAsJsonObject("counts").get("deliveries").getAsLong());
  }

  /**
   * Megabytes that the last collection left, from lines such as {@code Pause Young
   * 300M->41M(512M)}.
   */
  private static double heapAfterLastCollection(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.matches(".*[0-9]+M->[0-9]+M\\([0-9]+M\\).*"))
          .map(line -> line.replaceFirst(".*M->([0-9]+)M\\(.*", "$1"))
          .mapToDouble(Double::parseDouble)
          .reduce(0, (_, last) -> last);
    }
  }

  private static JsonObject summary(int frames, List<Point> measured) {
    List<Double> micros = new ArrayList<>(measured.stream().map(Point::micros).toList());
    Collections.sort(micros);
    double median = micros.get(micros.size() / 2);
    double read = measured.stream().mapToDouble(Point::framesPerRead).average().orElse(0);
    double heap = measured.stream().mapToDouble(Point::heapMegabytes).max().orElse(0);
    System.err.printf(
        Locale.ROOT,
        "%16d %14.1f %12.3f %12.3f %12.3f %12.0f%n",
        frames,
        read,
        median,
        micros.getFirst(),
        micros.getLast(),
        heap);
    JsonObject point = new JsonObject();
    point.addProperty("framesPerWrite", frames);
    point.addProperty("framesPerRead", read);
    point.addProperty("microsPerDelivery", median);
    point.addProperty("least", micros.getFirst());
    point.addProperty("most", micros.getLast());
    point.addProperty("heapMegabytesAfterCollection", heap);
    point.addProperty("deliveriesPerRun", measured.getFirst().deliveries());
    point.addProperty("runs", measured.size());
    return point;
  }
}
