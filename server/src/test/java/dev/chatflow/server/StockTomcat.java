package dev.chatflow.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Tomcat from its distribution archive in a separate process, set up as in
 * docs/how-to/run-one-server.md: files of infra/tomcat, the packaged WAR, {@code catalina.sh start}
 * and {@code stop}.
 *
 * <p>Two things differ: a replaced WAR is deployed at once ({@code autoDeploy}), and every
 * collection clears soft references, because caches of the JDK keep an old class loader softly.
 */
public final class StockTomcat implements AutoCloseable {

  private static final Path WAR = Path.of("target", "chatflow.war").toAbsolutePath();
  private static final String NAME = "apache-tomcat-";
  private static final Path TEMPLATES = Path.of("..", "infra", "tomcat").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Tomcat's log line when a connector with port 0 has started. */
  private static final Pattern LISTENS =
      Pattern.compile("Starting ProtocolHandler \\[\"http-nio-.*-auto-\\d+-(\\d+)\"]");

  private final Path home;
  private final Path base;
  private final String context;
  private final Path deployed;
  private final HttpClient http = HttpClient.newHttpClient();
  private int port;

  private StockTomcat(Path base, String context) throws IOException {
    this.home = distribution();
    this.base = base;
    this.context = context;
    String name = context.isEmpty() ? "ROOT" : context.substring(1).replace('/', '#');
    this.deployed = base.resolve("webapps").resolve(name + ".war");
  }

  /** Returns the newest distribution unpacked by the build. */
  private static Path distribution() throws IOException {
    try (Stream<Path> built = Files.list(Path.of("target"))) {
      return newest(built.map(Path::toAbsolutePath))
          .orElseThrow(() ->
              new IllegalStateException("no Tomcat unpacked: run mvn verify -pl server -am once"));
    }
  }

  /** Compares versions: as texts 11.0.9 is greater than 11.0.27. */
  static Optional<Path> newest(Stream<Path> built) {
    return built
        .filter(path -> path.getFileName().toString().startsWith(NAME))
        .max(Comparator.comparing(StockTomcat::version));
  }

  private static Runtime.Version version(Path unpacked) {
    return Runtime.Version.parse(unpacked.getFileName().toString().substring(NAME.length()));
  }

  /**
   * Starts Tomcat with the application and waits until that is ready.
   *
   * @param base an empty directory
   * @param context empty for ROOT, or such as {@code /team/chat}
   * @param settings lines of its environment file
   */
  public static StockTomcat start(Path base, String context, URI broker, String... settings)
      throws Exception {
    StockTomcat tomcat = launch(base, context, broker, settings);
    tomcat.awaitReady();
    return tomcat;
  }

  /** Starts Tomcat with an application that may fail. */
  static StockTomcat launch(Path base, String context, URI broker, String... settings)
      throws Exception {
    StockTomcat tomcat = new StockTomcat(base, context);
    tomcat.prepare(broker, settings);
    tomcat.catalina("start");
    tomcat.port = tomcat.awaitPort();
    return tomcat;
  }

  private void prepare(URI broker, String... settings) throws IOException {
    for (String directory : List.of("bin", "conf", "logs", "temp", "webapps", "work")) {
      Files.createDirectories(base.resolve(directory));
    }
    Path conf = base.resolve("conf");
    for (String file : List.of("web.xml", "context.xml", "catalina.properties")) {
      Files.copy(home.resolve("conf").resolve(file), conf.resolve(file));
    }
    Files.copy(home.resolve("conf/logging.properties"), conf.resolve("logging.properties"));
    Files.copy(TEMPLATES.resolve("setenv.sh"), base.resolve("bin/setenv.sh"));
    String server =
        Files.readString(TEMPLATES.resolve("server.xml"))
            .replace("autoDeploy=\"false\"", "autoDeploy=\"true\"")
            .replace(" bindOnInit=\"false\"", "") // otherwise the log does not contain a free port
            .replace("<Engine ", "<Engine backgroundProcessorDelay=\"1\" ");
    Files.writeString(conf.resolve("server.xml"), server);
    Files.writeString(
        conf.resolve("chatflow.env"),
        """
        CHATFLOW_PORT=0
        CHATFLOW_ADMIN_PORT=0
        CHATFLOW_SERVER_ID=stock
        CHATFLOW_AMQP_URI=%s
        %s
        """
            .formatted(broker, String.join("\n", settings)));
    Files.copy(WAR, deployed);
  }

  /** Replaces the WAR like a copy; Tomcat deploys it within two seconds. */
  void replaceWar() throws IOException {
    Path copy = Files.copy(WAR, base.resolve("temp").resolve("next.war"));
    // A file younger than a second counts as still being written.
    Files.setLastModifiedTime(copy, FileTime.from(Instant.now().minusSeconds(2)));
    Files.move(copy, deployed, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the free port from Tomcat's log. */
  private int awaitPort() throws IOException {
    return await("Tomcat listening", this::findPort, Optional::isPresent).orElseThrow();
  }

  private Optional<Integer> findPort() throws IOException {
    Matcher line = LISTENS.matcher(log());
    return line.find() ? Optional.of(Integer.valueOf(line.group(1))) : Optional.empty();
  }

  public void awaitReady() throws IOException {
    int _ =
        await("Tomcat's application ready", () -> get("/ready").statusCode(), code -> code == 200);
  }

  /** Repeats a request until the answer is right; a failure shows Tomcat's log. */
  private <T> T await(String what, Callable<T> ask, Predicate<T> isRight) throws IOException {
    try {
      return Awaitility.await(what).atMost(PATIENCE).ignoreExceptions().until(ask, isRight);
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(log(), e);
    }
  }

  public URI chat(String room) {
    return URI.create("ws://127.0.0.1:" + port + context + "/chat/" + room);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + context + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + context + path))
            .timeout(Duration.ofSeconds(15))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Returns everything that Tomcat and the application logged so far. */
  public String log() throws IOException {
    return Files.readString(base.resolve("logs/catalina.out"));
  }

  /** Returns the output of a {@code jcmd} command, such as {@code Thread.print}. */
  String jcmd(String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    return run(List.of(jcmd.toString(), Long.toString(pid()), command));
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readString(base.resolve("temp/tomcat.pid")).strip());
  }

  /** Stops Tomcat like an operator; returns when its process has ended. */
  void stop() throws IOException, InterruptedException {
    catalina("stop", "60");
  }

  private void catalina(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/catalina.sh").toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(base, "command", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(name -> name.startsWith("CHATFLOW_") || name.startsWith("CATALINA_"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("CATALINA_HOME", home.toString());
    environment.put("CATALINA_BASE", base.toString());
    environment.put("CATALINA_OPTS", "-XX:SoftRefLRUPolicyMSPerMB=0");
    Process process = builder.start();
    if (!process.waitFor(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " does not end: " + Files.readString(output));
    }
    String said = Files.readString(output);
    if (process.exitValue() != 0) {
      throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + said);
    }
    return said;
  }

  /** Kills the process if it is still running. */
  @Override
  public void close() throws IOException {
    http.shutdownNow();
    if (Files.exists(base.resolve("temp/tomcat.pid"))) {
      ProcessHandle.of(pid()).ifPresent(StockTomcat::end);
    }
  }

  private static void end(ProcessHandle process) {
    if (process.destroyForcibly()) {
      process.onExit().join();
    }
  }
}
