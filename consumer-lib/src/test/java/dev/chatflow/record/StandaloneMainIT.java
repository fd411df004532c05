package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.room.Shard;
import dev.chatflow.support.GeneratedPart;
import dev.chatflow.support.MeterTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program as a separate process. */
class StandaloneMainIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final AtomicLong BOOT = new AtomicLong();

  @TempDir private Path directory = Path.of("");

  /** A running standalone consumer. */
  private static final class Program implements AutoCloseable {
    private final Process process;
    private final Path output;

    Program(Path output, TestBroker broker) throws IOException {
      this(output, broker, "memory");
    }

    Program(Path output, TestBroker broker, String store) throws IOException {
      this.output = output;
      ProcessBuilder command =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1", // it runs for seconds
              "-cp",
              System.getProperty("java.class.path"),
              StandaloneMain.class.getName(),
              "--port=0");
      command.environment().keySet().removeIf(name -> name.startsWith("CHATFLOW_"));
      command.environment().put("CHATFLOW_AMQP_URI", broker.uri().toString());
      command.environment().put("CHATFLOW_CONSUMER_STORE", store);
      process = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    String output() throws IOException {
      return Files.readString(output);
    }

    void awaitLine(String text) {
      await().atMost(PATIENCE).until(() -> output().contains(text));
    }

    HttpResponse<String> get(String path) throws Exception {
      Matcher url = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+").matcher(output());
      assertThat(url.find()).isTrue();
      try (HttpClient http = HttpClient.newHttpClient()) {
        return http.send(
            HttpRequest.newBuilder(URI.create(url.group() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
      }
    }

    String url() throws IOException {
      Matcher url = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+").matcher(output());
      return url.find() ? url.group() : "";
    }

    /** Sends SIGTERM; returns the exit status. */
    int stop() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Publishes like a server that has just started. */
  private static void publish(TestBroker broker, String... texts) throws Exception {
    try (TestLane lane = new TestLane(broker, new Lane("server", BOOT.incrementAndGet(), 1))) {
      for (String text : texts) {
        lane.send(Spoken.line("5", 7, text));
      }
    }
  }

  private static void forget(TestBroker broker) throws Exception {
    for (int shard = 0; shard < Shard.DEFAULT_COUNT; shard++) {
      broker.deleteQueue(Topology.log(new Shard(shard)));
    }
  }

  @EmbeddedTest
  void recordsMessagesInATemporaryFileWhileItRuns(TestBroker broker) throws Exception {
    try (Program program = new Program(directory.resolve("first.log"), broker)) {
      program.awaitLine("ready after");
      publish(broker, "a", "b");
      await().until(() -> program.get("/api/audit").body().contains("\"texts\":2"));
      assertThat(program.get("/health").statusCode()).isEqualTo(200);
      assertThat(program.get("/api/rooms/5/messages").body())
          .containsSubsequence("\"message\":\"a\"", "\"message\":\"b\"");
      String meters = program.get("/metrics").body();
      assertThat(meters).contains("chatflow_record_messages_total 2.0");
      GeneratedPart.isCurrent("reference/message-archive.md", "meters", MeterTable.of(meters));
      assertThat(program.get("/api/rooms/6/messages").statusCode()).isEqualTo(404);
      compares(program, 2, 0);
      assertThat(program.stop()).isZero();
      assertThat(program.output()).contains("stopping").doesNotContain("\tat ");
      Matcher record =
          Pattern.compile("record  sqlite:(.+), deleted at the end").matcher(program.output());
      assertThat(record.find()).isTrue();
      assertThat(Path.of(record.group(1)).getParent()).doesNotExist();
    }
    publish(broker, "c");
    try (Program program = new Program(directory.resolve("second.log"), broker)) {
      program.awaitLine("ready after");
      publish(broker, "d");
      await().until(() -> program.get("/api/audit").body().contains("\"texts\":1"));
      compares(program, 1, 0);
      assertThat(program.stop()).isZero();
    }
  }

  @EmbeddedTest
  void recordsInAFileOnAfterAKillAndForgets(TestBroker broker) throws Exception {
    forget(broker);
    String store = "sqlite:" + directory.resolve("record.db");
    try (Program program = new Program(directory.resolve("killed.log"), broker, store)) {
      program.awaitLine("ready after");
      publish(broker, "a", "b");
      await().until(() -> program.get("/api/audit").body().contains("\"texts\":2"));
      program.process.destroyForcibly().waitFor();
    }
    publish(broker, "c");
    try (Program program = new Program(directory.resolve("again.log"), broker, store)) {
      program.awaitLine("ready after");
      await().until(() -> program.get("/api/audit").body().contains("\"texts\":3"));
      assertThat(program.get("/api/rooms/5/messages").body())
          .containsSubsequence("\"message\":\"a\"", "\"message\":\"b\"", "\"message\":\"c\"");
      assertThat(program.get("/health").body()).contains("\"status\":\"UP\"");
      assertThat(program.get("/metrics").body()).contains("chatflow_record_messages_total 1.0");
      assertThat(program.get("/api/rooms?x=1").body()).contains("BAD_QUERY");
      compares(program, 3, 0);
      assertThat(run("forget", "--store", store, "--user", "7")).contains("3 messages");
      assertThat(program.stop()).isZero();
    }
    assertThat(run("query", "--store", store, "rooms/5/messages", "limit=2"))
        .contains("messageType", "removed")
        .doesNotContain("user7");
  }

  /** Returns the output of a command. */
  private static String run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(new StandaloneMain(out, System.err).run(arguments)).isZero();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @EmbeddedTest
  void endsOnRequestWhileItsDatabaseIsUnavailable(TestBroker broker) throws Exception {
    String store = "jdbc:postgresql://127.0.0.1:1/none?user=chat";
    try (Program program = new Program(directory.resolve("away.log"), broker, store)) {
      program.awaitLine("not ready yet");
      assertThat(program.get("/health").statusCode()).isEqualTo(503);
      assertThat(program.get("/api/rooms").body()).contains("RECORD_AWAY");
      assertThat(program.stop()).isZero();
    }
  }

  private void compares(Program program, int texts, int status) throws IOException {
    Path file = directory.resolve("senders.csv");
    Files.writeString(
        file,
        "room,userId,username,joins,texts,leaves,resent,refused\n5,7,user7,0,"
            + texts
            + ",0,0,0\n");
    StandaloneMain main = new StandaloneMain(System.out, System.err);
    assertThat(main.run("compare", file.toString(), program.url())).isEqualTo(status);
  }

  @EmbeddedTest
  void waitsForItsBrokerAndLogsIt(TestBroker broker) throws Exception {
    broker.goAway();
    try (Program program = new Program(directory.resolve("waiting.log"), broker)) {
      program.awaitLine("not ready yet: waiting for the broker at amqp://");
      assertThat(program.output()).doesNotContain(broker.uri().getUserInfo());
      assertThat(program.get("/health").statusCode()).isEqualTo(503);
      broker.comeBack();
      program.awaitLine("ready after");
      assertThat(program.stop()).isZero();
    } finally {
      broker.comeBack();
    }
  }
}
