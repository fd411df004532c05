package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.ServerTimer;
import dev.chatflow.server.edge.tomcat.SinkMode;
import dev.chatflow.server.edge.tomcat.Sinks;
import dev.chatflow.server.http.FakeExchange;
import jakarta.servlet.FilterChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandshakeTest {

  private final ServerTimer timer = new ServerTimer();
  private final List<String> refused = new ArrayList<>();
  private int upgrades;
  private @Nullable String closedBecause;
  private final Handshake handshake = handshake();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private Handshake handshake() {
    SessionContext context =
        new TestEdge()
            .context(
                new FakeLanes(),
                new NoEdgeMeter() {
                  @Override
                  public void connectionRefused(String reason) {
                    refused.add(reason);
                  }
                });
    return new Handshake(
        new SessionRegistry("server-1", 1, 10, context.leaves()),
        context,
        new Sinks(SinkMode.PORTABLE, Duration.ofSeconds(15), timer),
        () -> closedBecause);
  }

  private FakeExchange dial(String room) throws Exception {
    FakeExchange exchange =
        new FakeExchange("GET", "/chat", "/" + room).header("Upgrade", "websocket");
    FilterChain upgrade = (_, _) -> upgrades++;
    handshake.doFilter(exchange.request(), exchange.response(), upgrade);
    return exchange;
  }

  @Test
  void serverThatIsOpenUpgrades() throws Exception {
    dial("5");
    assertThat(upgrades).isEqualTo(1);
    assertThat(refused).isEmpty();
  }

  @Test
  void serverThatStoodStillSaysSoAndWhenToComeBack() throws Exception {
    closedBecause = "back from a standstill";
    FakeExchange answer = dial("5");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.answered("Retry-After")).isEqualTo("1");
    assertThat(answer.text())
        .contains("the server is back from a standstill: try another, or again later");
    assertThat(upgrades).isZero();
    assertThat(refused).containsExactly("back from a standstill");
  }

  @Test
  void wrongRoomIsToldWhateverTheServerDoes() throws Exception {
    closedBecause = "draining";
    assertThat(dial("a.b").status()).isEqualTo(400);
    assertThat(refused).containsExactly("bad room");
  }
}
