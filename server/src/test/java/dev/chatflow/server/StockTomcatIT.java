package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged WAR in a stock Tomcat, stopped and redeployed under load. */
class StockTomcatIT {

  private static final int MEMBERS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Tomcat's log lines about leaks of an application, or worse. */
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "appears to have started a thread named|memory leak|ThreadLocal|Illegal access"
              + "|WARNING \\[|SEVERE \\[|ERROR|drain gave up");

  /** Tomcat's log lines that only show a busy machine. */
  private static final Pattern SLOWNESS =
      Pattern.compile("Creation of SecureRandom instance .* took");

  /** A line of Thread.print: name and number of a Java thread. */
  private static final Pattern THREAD = Pattern.compile("(?m)^\"([^\"]+)\" #(\\d+) ");

  /** Threads of the JVM and of Tomcat; every other one belongs to the application. */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "main|Reference Handler|Finalizer|Signal Dispatcher|Service Thread|Attach Listener"
              + "|Monitor Deflation Thread|C[12] CompilerThread\\d+|Notification Thread"
              + "|Common-Cleaner|VirtualThread-.*|ForkJoinPool-\\d+-.*|.*FileHandler.*"
              + "|Catalina-utility-\\d+|http-nio-.*|WebSocket background processing.*"
              + "|MasterPoller|(Read|Write)-Poller.*");

  @TempDir Path base;

  @EmbeddedTest
  void asRootItSurvivesRedeploymentsWithoutATrace(TestBroker broker) throws Exception {
    chatAndRedeploy("", broker, 2);
  }

  @EmbeddedTest
  void underAContextPathItSurvivesRedeploymentsWithoutATrace(TestBroker broker) throws Exception {
    chatAndRedeploy("/team/chat", broker, 1);
  }

  /** As documented in docs/how-to/run-one-server.md. */
  @Test
  void withAMisspeltKeyTomcatGoesOnAndAnswersThatNothingIsHere() throws Exception {
    URI nobody = URI.create("amqp://127.0.0.1:1");
    try (StockTomcat tomcat = StockTomcat.launch(base, "", nobody, "CHATFLOW_LANE_BITES=1MiB")) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> tomcat.get("/health").statusCode() == 404);
      assertThat(tomcat.log())
          .containsPattern(
              "cannot start: .* unknown key CHATFLOW_LANE_BITES \\(meant CHATFLOW_LANE_BYTES\\?\\);"
                  + " if the container continues, it answers 404 here");
      tomcat.stop();
    }
  }

  private void chatAndRedeploy(String context, TestBroker broker, int times) throws Exception {
    try (StockTomcat tomcat = StockTomcat.start(base, context, broker.uri())) {
      assertThat(tomcat.get("/health").body()).contains("\"status\":\"UP\"", "\"sink\":\"direct\"");
      assertThat(tomcat.get("/rooms/5").statusCode()).isEqualTo(200);
      assertThat(tomcat.log()).doesNotContain("an idle connection costs"); // infra/tomcat is lean
      for (int round = 1; round <= times; round++) {
        Set<String> threads = applicationThreads(tomcat);
        TalkingRoom room = TalkingRoom.joined(tomcat.chat("5"), MEMBERS);
        assertThat(KernelBuffers.toSend(tomcat.chat("5").getPort()))
            .hasSizeGreaterThanOrEqualTo(MEMBERS)
            .containsOnly(KernelBuffers.BOUND);
        room.talk();
        tomcat.replaceWar();
        room.assertDrained();
        awaitDeployment(tomcat, round);
        awaitPost(tomcat);
        assertThat(applicationThreads(tomcat)).isNotEmpty().doesNotContainAnyElementsOf(threads);
        assertOneClassLoader(tomcat);
        await().atMost(PATIENCE).until(() -> broker.connections() == 2);
        assertThat(complaints(tomcat)).isEmpty();
      }
      assertThat(tomcat.jcmd("VM.class_hierarchy"))
          .contains("dev.chatflow.server.ChatServer")
          .doesNotContain("org.apache.qpid", "chatflow.broker.embedded", "chatflow.server.launch");
      TalkingRoom room = TalkingRoom.joined(tomcat.chat("5"), MEMBERS);
      room.talk();
      tomcat.stop();
      room.assertDrained();
      assertThat(complaints(tomcat)).isEmpty();
      await().atMost(PATIENCE).until(() -> broker.connections() == 0);
    }
  }

  /**
   * Waits for a post to succeed: a room's log is read when it is first used, and until then posts
   * get 503.
   */
  private static void awaitPost(StockTomcat tomcat) {
    String text = PublishIT.text(7, "posted");
    await()
        .atMost(PATIENCE)
        .until(
            () -> tomcat.post("/api/rooms/5/messages", text).statusCode(),
            status -> {
              assertThat(status).isIn(201, 503);
              return status == 201;
            });
  }

  /** Waits for the deployment in the log, because the old application may still answer. */
  private static void awaitDeployment(StockTomcat tomcat, int round) throws IOException {
    Pattern done = Pattern.compile("Deployment of web application archive .* has finished");
    await()
        .atMost(PATIENCE)
        .until(() -> done.matcher(tomcat.log()).results().count() == round + 1L);
    tomcat.awaitReady();
  }

  private static Set<String> applicationThreads(StockTomcat tomcat)
      throws IOException, InterruptedException {
    return THREAD
        .matcher(tomcat.jcmd("Thread.print"))
        .results()
        .filter(thread -> !FOREIGN.matcher(thread.group(1)).matches())
        .map(thread -> thread.group(1) + " #" + thread.group(2))
        .collect(Collectors.toSet());
  }

  /** Runs collections until only the running application is left. */
  private static void assertOneClassLoader(StockTomcat tomcat) {
    Pattern loader = Pattern.compile("ParallelWebappClassLoader");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          String _ = tomcat.jcmd("GC.run");
          assertThat(loader.matcher(tomcat.jcmd("VM.classloader_stats")).results()).hasSize(1);
        });
  }

  private static Set<String> complaints(StockTomcat tomcat) throws IOException {
    return tomcat
        .log()
        .lines()
        .filter(line -> COMPLAINT.matcher(line).find() && !SLOWNESS.matcher(line).find())
        .collect(Collectors.toSet());
  }
}
