package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.server.KernelBuffers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherIT {

  private static final int KILLED_BEFORE_OUR_HANDLER = 143;

  /** The message of the JVM if a signal arrives before it can run anything. */
  private static final String NO_JVM_YET = "Error occurred during initialization of VM";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** Its ticks are a second apart, and 15 s is not too late. */
  private static final Duration PAUSE = Duration.ofMillis(17_500);

  private static final String JOIN =
      "{\"messageType\":\"JOIN\",\"userId\":\"1\",\"username\":\"user1\",\"message\":\"\","
          + "\"timestamp\":\"2026-01-01T00:00:00.000Z\"}";

  @TempDir Path temporary;
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeClient() {
    http.shutdownNow();
  }

  @Test
  void servesChatFromItsOwnFileAndDrainsOnTerm() throws Exception {
    Path broker = temporary.resolve("broker.uri");
    try (LaunchedWar server = start("--port=0", "--admin-port=0", "--broker-file=" + broker)) {
      await().atMost(PATIENCE).until(server::isReady);
      assertThat(Files.readString(broker)).matches("amqp://guest:\\w+@127.0.0.1:\\d+\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(broker)))
          .isEqualTo("rw-------");
      assertThat(status(server.url(1, "health").orElseThrow())).isEqualTo(200);
      Received received = new Received();
      dial(server, received).sendText(JOIN, true).join();
      assertThat(received.first.get(10, TimeUnit.SECONDS)).contains("\"messageType\":\"JOIN\"");
      assertThat(KernelBuffers.toSend(chat(server).getPort()))
          .isNotEmpty()
          .containsOnly(KernelBuffers.BOUND);

      server.terminate();

      assertThat(received.closed.get(30, TimeUnit.SECONDS)).isEqualTo(1001);
      assertThat(server.awaitExit()).as(server.output()).isZero();
      assertThat(leftIn(temporary)).isEmpty();
      assertThat(broker).doesNotExist();
    }
  }

  @Test
  void aBareStartNamesTheOptionsThatTheJvmLacks() throws Exception {
    List<String> bare =
        List.of(
            "-Xmx" + LaunchedWar.HEAP,
            LaunchedWar.ONE_COMPILER,
            "-jar",
            LaunchedWar.WAR.toString());
    try (LaunchedWar server =
        LaunchedWar.start(temporary, bare, Map.of(), "--port=0", "--admin-port=0")) {
      await().atMost(PATIENCE).until(server::isReady);
      assertThat(server.output().lines().filter(line -> line.startsWith("  advice ")))
          .singleElement()
          .asString()
          .contains("start java with -XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC");
    }
  }

  /**
   * Messages waiting in its sockets were accepted long after their clients had sent them elsewhere.
   */
  @Test
  void aPausedServerAsksAllClientsToReconnect() throws Exception {
    try (LaunchedWar server = start("--port=0", "--admin-port=0")) {
      await().atMost(PATIENCE).until(server::isReady);
      Received received = new Received();
      WebSocket joined = dial(server, received);
      joined.sendText(JOIN, true).join();
      received.first.get(10, TimeUnit.SECONDS);

      server.signal("STOP");
      pass(A_SECOND); // a busy machine is slow to stop the last thread
      joined.sendText(JOIN.replace("JOIN", "TEXT").replace("\"\"", "\"old\""), true).join();
      CompletableFuture<WebSocket> waiting = dialling(server, new Received());
      pass(PAUSE.minus(A_SECOND));
      server.signal("CONT");

      assertThat(received.closed.get(30, TimeUnit.SECONDS)).isEqualTo(1012);
      assertThat(received.reason.join()).matches("reconnect after [0-9]+ ms");
      assertThat(refusal(waiting)).as("it waited to be accepted").isEqualTo(503);
      assertThat(refusal(dialling(server, new Received()))).as("right then").isEqualTo(503);
      await().atMost(PATIENCE).ignoreExceptions().until(() -> joins(server, new Received()));
      assertThat(body(server.url(1, "health").orElseThrow().replace("/health", "/api/stats")))
          .as("two JOINs, and what was sent while nobody read is not taken")
          .contains("\"messagesIn\":2,");
      assertThat(server.output())
          .containsOnlyOnce("WARN  ChatServer: this process was paused for ")
          .contains("closing all connections (1012)");
    }
  }

  private static void pass(Duration time) {
    await().pollDelay(time).timeout(PATIENCE).until(() -> true);
  }

  private boolean joins(LaunchedWar server, Received received) throws Exception {
    dialling(server, received).get(10, TimeUnit.SECONDS).sendText(JOIN, true).join();
    return received.first.get(10, TimeUnit.SECONDS).contains("\"messageType\":\"JOIN\"");
  }

  private static int refusal(CompletableFuture<WebSocket> dialled) {
    dialled.handle((_, failure) -> failure).orTimeout(30, TimeUnit.SECONDS).join();
    return ((WebSocketHandshakeException) dialled.exceptionNow()).getResponse().statusCode();
  }

  private static String flags(ProcessHandle process) throws Exception {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "VM.flags").start();
    return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** At any point of the start. */
  @ParameterizedTest
  @ValueSource(ints = {300, 900})
  void aRequestToStopInTheFirstSecondEndsQuietly(int millis) throws Exception {
    try (LaunchedWar server = start("--port=0", "--admin-port=0")) {
      await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
      server.terminate();
      int status = server.awaitExit();
      if (server.output().contains(NO_JVM_YET)) {
        assertThat(status).isEqualTo(1);
        assertThat(server.output()).doesNotContain("chatflow", "broker embedded");
      } else {
        assertThat(status).as(server.output()).isIn(0, KILLED_BEFORE_OUR_HANDLER);
        assertThat(server.output()).doesNotContain("\tat ", "Exception", "cannot start");
      }
    }
  }

  @Test
  void furtherServersAreProcessesThatEndWithTheFirst() throws Exception {
    try (LaunchedWar server = start("--port=0", "--admin-port=0", "--servers=2")) {
      await().atMost(PATIENCE).until(server::isReady);
      List<ProcessHandle> children = server.children();
      assertThat(children).hasSize(1);
      assertThat(status(server.url(2, "health").orElseThrow())).isEqualTo(200);
      assertThat(flags(server.handle())).contains(LaunchedWar.ENDS_WHEN_EXHAUSTED);
      assertThat(flags(children.getFirst())).contains(LaunchedWar.ENDS_WHEN_EXHAUSTED);
      assertThat(server.output().lines().filter(line -> line.startsWith("server "))).hasSize(1);
      assertThat(server.output().lines().filter(line -> line.contains(" INFO ")))
          .anyMatch(line -> line.startsWith("[server 1] "))
          .anyMatch(line -> line.startsWith("[server 2] "))
          .allMatch(line -> line.matches("\\[server [12]] .*"));

      server.terminate();

      assertThat(server.awaitExit()).as(server.output()).isZero();
      assertThat(children).noneMatch(ProcessHandle::isAlive);
      assertThat(leftIn(temporary)).isEmpty();
    }
  }

  /** A cache that does not fit, as after an update of Java, is no reason for a message. */
  @Test
  void anUnpackedProgramServesWithFurtherServersWhateverTheCacheIsWorth(@TempDir Path directory)
      throws Exception {
    Path unpacked = directory.resolve("program");
    try (LaunchedWar unpacking = start("--unpack=" + unpacked)) {
      assertThat(unpacking.awaitExit()).as(unpacking.output()).isZero();
    }
    Path cache = Files.writeString(directory.resolve("server.aot"), "of another Java");
    List<String> program =
        List.of(
            "-Xmx" + LaunchedWar.HEAP,
            LaunchedWar.ONE_COMPILER,
            "-XX:AOTCache=" + cache,
            "-Xlog:aot*=off,cds*=off",
            "-jar",
            unpacked.resolve("chatflow.jar").toString());
    try (LaunchedWar server =
        LaunchedWar.start(
            temporary, program, Map.of(), "--port=0", "--admin-port=0", "--servers=2")) {
      await().atMost(PATIENCE).until(server::isReady);
      assertThat(status(server.url(1, "page").orElseThrow())).isEqualTo(200);
      Received received = new Received();
      dial(server, received).sendText(JOIN, true).join();
      assertThat(received.first.get(10, TimeUnit.SECONDS)).contains("\"messageType\":\"JOIN\"");

      server.terminate();

      assertThat(server.awaitExit()).as(server.output()).isZero();
      assertThat(server.output()).doesNotContain("[aot]", "WARN");
      assertThat(leftIn(temporary)).isEmpty();
    }
  }

  /** A server may run from it. */
  @Test
  void aFolderThatIsThereIsNotUnpackedInto(@TempDir Path directory) throws Exception {
    try (LaunchedWar refused = start("--unpack=" + directory)) {
      assertThat(refused.awaitExit()).isEqualTo(1);
      assertThat(refused.output().lines())
          .singleElement()
          .asString()
          .startsWith("chatflow: cannot unpack to " + directory);
    }
  }

  @Test
  void aKilledServerLeavesNoFileAndItsFurtherServersEnd() throws Exception {
    try (LaunchedWar server = start("--port=0", "--admin-port=0", "--servers=2")) {
      await().atMost(PATIENCE).until(server::isReady);
      List<ProcessHandle> children = server.children();

      server.kill();

      assertThat(children).hasSize(1);
      await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
    try (Stream<Path> left = Files.walk(leftIn(temporary).getFirst())) {
      assertThat(left).allMatch(Files::isDirectory);
    }
  }

  @Test
  void aPortInUseIsReportedInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LaunchedWar server = start("--port=" + taken.getLocalPort(), "--admin-port=0")) {
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(server.output().lines())
          .singleElement()
          .asString()
          .startsWith("chatflow: port " + taken.getLocalPort() + " is in use");
    }
  }

  @Test
  void anUnknownKeyIsReportedInOneLine() throws Exception {
    try (LaunchedWar server =
        LaunchedWar.start(temporary, Map.of("CHATFLOW_LANE_BITES", "1MiB"), "--port=0")) {
      assertThat(server.awaitExit()).isEqualTo(2);
      assertThat(server.output().lines())
          .singleElement()
          .asString()
          .contains("unknown key CHATFLOW_LANE_BITES (meant CHATFLOW_LANE_BYTES?)");
    }
  }

  @Test
  void printsTheConfigurationInForceWithoutSecrets() throws Exception {
    try (LaunchedWar server =
        start("--print-effective", "--port=81", "--broker=amqp://u:secret@127.0.0.1/v")) {
      assertThat(server.awaitExit()).isZero();
      assertThat(server.output())
          .contains("CHATFLOW_PORT=81\n", "CHATFLOW_AMQP_URI=amqp://u:***@127.0.0.1/v\n")
          .contains("all users of this machine can read the password in --broker")
          .doesNotContain("secret");
    }
  }

  @Test
  void aFileThatItMakesIsOneThatItTakes(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("chatflow.properties");
    try (LaunchedWar server = start("--generate-config")) {
      assertThat(server.awaitExit()).isZero();
      assertThat(server.output())
          .contains("\n# 100ms to 24h; default 30s\n#CHATFLOW_CONFIRM_TIMEOUT=30s\n");
      Files.writeString(file, server.output() + "CHATFLOW_CONFIRM_TIMEOUT=6s\nCHATFLOW_PORT=82\n");
    }
    try (LaunchedWar server = start("--print-effective", "--config=" + file, "--port=83")) {
      assertThat(server.awaitExit()).isZero();
      assertThat(server.output()).contains("CHATFLOW_CONFIRM_TIMEOUT=6s\n", "CHATFLOW_PORT=83\n");
    }
  }

  @Test
  void runsInACallersThreadUntilThatIsInterrupted() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread launch = Thread.ofPlatform().start(() -> status.complete(launchHere(printed)));
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> printed.toString(StandardCharsets.UTF_8).contains("\nready"));
    } finally {
      launch.interrupt();
      assertThat(status.get(60, TimeUnit.SECONDS)).isZero();
      clearSettings();
    }
  }

  private int launchHere(ByteArrayOutputStream printed) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Launcher(out, out).run(List.of("--port=0", "--admin-port=0"), LaunchedWar.WAR);
  }

  private static void clearSettings() {
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("chatflow."))
        .forEach(System::clearProperty);
  }

  private LaunchedWar start(String... arguments) throws IOException {
    return LaunchedWar.start(temporary, Map.of(), arguments);
  }

  private static List<Path> leftIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().contains("chatflow")).toList();
    }
  }

  private int status(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private String body(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private WebSocket dial(LaunchedWar server, Received received) {
    return dialling(server, received).join();
  }

  private CompletableFuture<WebSocket> dialling(LaunchedWar server, Received received) {
    return http.newWebSocketBuilder().buildAsync(chat(server), received);
  }

  private static URI chat(LaunchedWar server) {
    return URI.create(server.url(1, "chat").orElseThrow().replace("{room}", "5"));
  }

  /** Records a connection's first frame and its close. */
  private static final class Received implements WebSocket.Listener {
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final CompletableFuture<String> reason = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      first.complete(text.toString());
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      this.reason.complete(reason);
      return CompletableFuture.completedFuture(null);
    }
  }
}
