package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a server that broadcasts only a message's text is verified as strictly as any other.
 */
final class ForeignServerIT {
  private final Terminal terminal = new Terminal();

  @Test
  void correctServerPasses() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server)).as(terminal.out() + terminal.err()).isZero();
    }
    assertThat(terminal.json().getAsJsonObject("counts").get("deliveries").getAsLong())
        .isEqualTo(2 * (8 * 40 * 8 + 8 * 9));
  }

  @ParameterizedTest
  @CsvSource({
    "DROP, lost",
    "DUPLICATE, duplicate",
    "SWAP, reordered",
    "CORRUPT, corrupt",
    "MISROUTE, misrouted"
  })
  void defectsAreNamed(Defects.Kind kind, String name) {
    Defects defects =
        kind == Defects.Kind.SWAP ? Defects.swapping(97, 7, 40) : Defects.of(kind, 97, 7);
    try (FakeServer server = FakeServer.start(defects)) {
      assertThat(run(server)).as(terminal.out() + terminal.err()).isEqualTo(4);
    }
    JsonObject found = terminal.json().getAsJsonObject("verdict").getAsJsonObject("defects");
    assertThat(found.get(name).getAsLong()).isEqualTo(7);
  }

  private int run(FakeServer server) {
    server.textOnly();
    return terminal.run(
        "-q", "--format", "json", "-r", "2", "-u", "8", "-m", "40", "--drain", "1s", server.url());
  }
}
