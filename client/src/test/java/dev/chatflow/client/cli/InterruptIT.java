package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.chatflow.client.fake.FakeServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Ctrl-C with a real process. */
final class InterruptIT {
  @TempDir Path directory;

  @Test
  void firstInterruptEndsTheRunWithCompleteFiles() throws IOException, InterruptedException {
    try (FakeServer server = FakeServer.start()) {
      Process client = start(server);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.deliveries() > 100);
      interrupt(client);
      assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isEqualTo(130);
    }
    String summary = Files.readString(directory.resolve("run/summary.json"));
    assertThat(JsonParser.parseString(summary).isJsonObject()).isTrue();
    assertThat(summary).contains("INTERRUPTED");
    assertThat(Files.readString(directory.resolve("run/report.html"))).endsWith("</html>\n");
  }

  @Test
  void secondInterruptHaltsAtOnce() throws IOException, InterruptedException {
    try (FakeServer server = FakeServer.start()) {
      Process client = start(server);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.deliveries() > 100);
      server.stall(Duration.ofSeconds(60)); // no LEAVE is answered, so the first Ctrl-C takes long
      interrupt(client);
      Awaitility.await().pollDelay(Duration.ofMillis(500)).until(client::isAlive);
      interrupt(client);
      assertThat(client.waitFor(5, TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isEqualTo(130);
    }
    assertThat(directory.resolve("run/summary.json")).doesNotExist();
  }

  private Process start(FakeServer server) throws IOException {
    return new ProcessBuilder(
            "env", // a shell's background processes and their children ignore SIGINT
            "--default-signal=INT",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.chatflow.client.cli.Main",
            "-q",
            "-r",
            "1",
            "-u",
            "3",
            "-R",
            "100",
            "-d",
            "60s",
            "-o",
            directory.resolve("run").toString(),
            server.url())
        .redirectErrorStream(true)
        .redirectOutput(new File(directory.toFile(), "log"))
        .start();
  }

  private static void interrupt(Process client) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(client.pid())).start().waitFor();
  }
}
