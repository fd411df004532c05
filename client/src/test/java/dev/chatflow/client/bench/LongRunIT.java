package dev.chatflow.client.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Acceptance at full size, minutes long and for a machine without neighbours. */
@Tag("long")
final class LongRunIT {
  private static final String JAR = Path.of("target", "chatflow-client.jar").toString();
  private static final double MOST_MICROS = 0.25;
  private static final double MOST_MEGABYTES_MORE = 9.6;
  private static final double MEGABYTES_PER_MILLION_IN_FLIGHT = 36;
  private static final double ROUNDING = 2; // the log speaks in whole MB

  @Test
  void deliveryCostsAQuarterOfAMicrosecond() throws Exception {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Curve.Point point = Curve.measure(JAR, "64", "500");
      assertThat(point.deliveries()).isEqualTo(25_051_000);
      micros.add(point.micros());
    }
    assertThat(micros.stream().sorted().skip(2).findFirst().orElseThrow())
        .as("median of %s", micros)
        .isLessThanOrEqualTo(MOST_MICROS);
  }

  /** Five times and twenty times the messages, as many in flight: what was proved is forgotten. */
  @Test
  void heapStaysFlat() throws Exception {
    double small = heapMegabytes("100");
    assertThat(heapMegabytes("500")).isCloseTo(small, within(MOST_MEGABYTES_MORE));
    assertThat(heapMegabytes("2000")).isCloseTo(small, within(MOST_MEGABYTES_MORE));
  }

  /** All of a burst is in flight at once: 0.4 million messages more than a fifth of it. */
  @Test
  void burstTakesMemoryForItsMessagesAlone() throws Exception {
    double small = Curve.heapMegabytes(JAR, "64", "100");
    assertThat(Curve.heapMegabytes(JAR, "64", "500"))
        .isLessThanOrEqualTo(small + 0.4 * MEGABYTES_PER_MILLION_IN_FLIGHT + ROUNDING);
  }

  private static double heapMegabytes(String messages) throws Exception {
    return Curve.heapMegabytes(JAR, "64", messages, "--in-flight=16");
  }

  @Test
  void smallPoolMakesMoreMessagesAndFewerDeliveries() throws Exception {
    JsonObject few = rates("--pool-size=16");
    JsonObject all = rates("--pool-size=200");
    assertThat(few.get("fanOut").getAsDouble()).isLessThan(all.get("fanOut").getAsDouble() / 2);
    assertThat(few.get("acceptedPerSecond").getAsDouble())
        .isGreaterThan(all.get("acceptedPerSecond").getAsDouble());
    assertThat(few.get("deliveriesPerSecond").getAsDouble())
        .isLessThan(all.get("deliveriesPerSecond").getAsDouble());
  }

  private static JsonObject rates(String pool) throws IOException, InterruptedException {
    try (FakeServer server = FakeServer.start()) {
      Process client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-jar",
                  JAR,
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
      return JsonParser.parseString(json).getAsJsonObject().getAsJsonObject("rates");
    }
  }
}
