package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.FakeServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests that the client reports itself as the bottleneck only if it was. */
final class TrustIT {
  private final Terminal terminal = new Terminal();

  /** On a busy machine the client may report instead that other programs used the CPU. */
  @Test
  void clientIsTheBottleneckOfAScheduleBeyondItsCapacity() {
    int code;
    try (FakeServer server = FakeServer.start()) {
      code = run(server, "-R", "4m", "-w", "50", "-d", "600ms", "--drain", "20s");
    }
    boolean isBottleneck = client().get("bottleneck").getAsBoolean();
    assertThat(code).as(terminal.out()).isEqualTo(isBottleneck ? 6 : 0);
    if (isBottleneck) {
      assertThat(terminal.json().getAsJsonObject("verdict").get("headline").getAsString())
          .contains("the client was the bottleneck");
    } else {
      assertThat(client().get("starved").getAsBoolean()).as(terminal.out()).isTrue();
      assertThat(secondsOfOthers()).isGreaterThan(0.1);
    }
  }

  /** The rate is low, because a starved client extrapolates its CPU demand from little CPU time. */
  @Test
  void clientIsNotTheBottleneckOnAMachineBusyWithOtherPrograms() {
    List<Process> burners = new ArrayList<>();
    try (FakeServer server = FakeServer.start()) {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        burners.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      }
      assertThat(run(server, "-R", "100", "-d", "2s")).as(terminal.out()).isZero();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } finally {
      burners.forEach(Process::destroyForcibly);
    }
    assertThat(client().get("bottleneck").getAsBoolean()).isFalse();
    assertThat(secondsOfOthers()).isGreaterThan(1);
  }

  @Test
  void clientIsNotTheBottleneckWhenTheServerStalls() {
    AtomicLong stalled = new AtomicLong();
    try (FakeServer server = FakeServer.start()) {
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> server.deliveries() > 500);
            server.stall(Duration.ofSeconds(1));
            stalled.incrementAndGet();
          });
      assertThat(run(server, "-R", "500", "-d", "2s")).as(terminal.out()).isZero();
    }
    assertThat(stalled).hasValue(1);
    assertThat(client().get("bottleneck").getAsBoolean()).isFalse();
  }

  private JsonObject client() {
    return terminal.json().getAsJsonObject("client");
  }

  private double secondsOfOthers() {
    return client().get("machineBusySeconds").getAsDouble()
        - client().get("cpuSeconds").getAsDouble();
  }

  private int run(FakeServer server, String... more) {
    List<String> all = new ArrayList<>(List.of("-q", "--format", "json", "-r", "2", "-u", "3"));
    all.addAll(List.of("-t", "1", "--every", "100ms", server.url()));
    all.addAll(List.of(more));
    return terminal.run(all.toArray(String[]::new));
  }
}
