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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a delivery costs the client, against how many frames the server puts into one write: a table
 * on stderr, JSON on stdout.
 *
 * <p>Arguments: the client's jar, runs per point (5), messages per user (500), points
 * (1,4,16,64,256). Every run is a client process of its own against a fresh {@link Blaster}; CPU is
 * what the kernel counts for the process from the first send to the last delivery. One more run per
 * point tells what is alive in the heap.
 *
 * <p>With {@code chart FILE.svg} in front, the arguments are files of such JSON, drawn together.
 */
final class Curve {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  record Point(double micros, double framesPerRead, long deliveries) {}

  /** What is done to a client while it runs. */
  private interface Observer {
    void observe(Process client) throws IOException, InterruptedException;
  }

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
        "MB alive");
    for (String frames : points.split(",", -1)) {
      List<Point> measured = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        measured.add(measure(jar, frames, messages));
      }
      double heap = heapMegabytes(jar, frames, messages);
      curve.add(summary(Integer.parseInt(frames), measured, heap));
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
    JsonObject result = run(jar, frames, List.of("--messages=" + messages), List.of(), _ -> {});
    JsonObject cost = result.getAsJsonObject("client");
    return new Point(
        cost.get("cpuMicrosPerDelivery").getAsDouble(),
        cost.get("framesPerRead").getAsDouble(),
        result.getAsJsonObject("counts").get("deliveries").getAsLong());
  }

  /**
   * Megabytes alive in the client at most, by a full collection a second; a run of its own, as
   * these cost CPU.
   *
   * @param more options of the client
   */
  static double heapMegabytes(String jar, String frames, String messages, String... more)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("client-gc", ".log");
    List<String> options = new ArrayList<>(List.of("--messages=" + messages));
    options.addAll(List.of(more));
    run(jar, frames, options, List.of("-Xlog:gc:file=" + log), Curve::collectEverySecond);
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains("Pause Full (Diagnostic Command)"))
          .map(line -> line.replaceFirst(".*M->([0-9]+)M\\(.*", "$1"))
          .mapToInt(Integer::parseInt)
          .max()
          .orElseThrow();
    } finally {
      Files.delete(log);
    }
  }

  private static void collectEverySecond(Process client) throws IOException, InterruptedException {
    while (!client.waitFor(1, TimeUnit.SECONDS)) {
      new ProcessBuilder(
              Path.of(JAVA).resolveSibling("jcmd").toString(),
              Long.toString(client.pid()),
              "GC.run")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD) // the client may just have ended
          .start()
          .waitFor();
    }
  }

  private static JsonObject run(
      String jar, String frames, List<String> options, List<String> jvm, Observer observer)
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
      return client(jar, String.valueOf(line.readLine()), options, jvm, observer);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static JsonObject client(
      String jar, String url, List<String> options, List<String> jvm, Observer observer)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("client", ".json");
    List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx1g", "-XX:+UseParallelGC"));
    command.addAll(jvm);
    command.addAll(List.of("-jar", jar, "run", "--quiet", "--out=none", "--format=json"));
    command.addAll(options);
    command.add(url);
    Process client =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    observer.observe(client);
    int code = client.waitFor();
    String json = Files.readString(out);
    Files.delete(out);
    if (code != 0) {
      throw new IllegalStateException("the client ended with " + code + ": " + json);
    }
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static JsonObject summary(int frames, List<Point> measured, double heap) {
    List<Double> micros = new ArrayList<>(measured.stream().map(Point::micros).toList());
    Collections.sort(micros);
    double median = micros.get(micros.size() / 2);
    double read = measured.stream().mapToDouble(Point::framesPerRead).average().orElse(0);
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
    point.addProperty("heapMegabytesAlive", heap);
    point.addProperty("deliveriesPerRun", measured.getFirst().deliveries());
    point.addProperty("runs", measured.size());
    return point;
  }
}
