package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the figures of a pool smaller than the number of users. */
@Tag("long")
final class SmallPoolIT {

  @Test
  void smallPoolHasFewerDeliveriesOfEachMessage() throws Exception {
    assertThat(fanOut("--pool-size=16")).isLessThan(fanOut("--pool-size=200") / 2);
  }

  private static double fanOut(String pool) throws IOException, InterruptedException {
    try (FakeServer server = FakeServer.start()) {
      Process client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-jar",
                  Path.of("target", "chatflow-client.jar").toString(),
                  "run",
                  "--quiet",
                  "--out=none",
                  "--format=json",
                  "--rooms=4",
                  "--room-size=50",
                  "--messages=200",
                  "--threads=1",
                  pool,
                  server.url())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String json = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(client.waitFor()).as(json).isZero();
      return JsonParser.parseString(json)
          .getAsJsonObject()
          .getAsJsonObject("rates")
          .get("fanOut")
          .getAsDouble();
    }
  }
}
