package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Access;
import dev.chatflow.server.ServerTimer;
import dev.chatflow.server.http.FakeExchange;
import dev.chatflow.server.sink.tomcat.SinkMode;
import dev.chatflow.server.sink.tomcat.Sinks;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandshakeTest {

  private final ServerTimer timer = new ServerTimer();
  private final List<String> refused = new ArrayList<>();
  private final List<HttpServletRequest> upgraded = new ArrayList<>();
  private @Nullable String closedBecause;
  private final ConnectionContext context = context();
  private final ConnectionSlots slots = new ConnectionSlots(10, context.addresses());
  private final Handshake handshake =
      new Handshake(
          new ConnectionRegistry("server-1", 1, slots, context.leaves()),
          context,
          new Sinks(SinkMode.PORTABLE, Duration.ofSeconds(15), timer),
          () -> closedBecause);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /** Allows one connection per address, and three handshakes a second. */
  private ConnectionContext context() {
    return new TestEdge()
        .perAddress(1)
        .gate(TestEdge.gate("", Access.open(3), TestEdge.clock(System::currentTimeMillis)))
        .context(
            new FakeLanes(),
            new NoEdgeMeter() {
              @Override
              public void connectionRefused(String reason) {
                refused.add(reason);
              }
            });
  }

  private FakeExchange dial(String room) throws Exception {
    FakeExchange exchange =
        new FakeExchange("GET", "/chat", "/" + room).header("Upgrade", "websocket");
    FilterChain upgrade = (request, _) -> upgraded.add((HttpServletRequest) request);
    handshake.doFilter(exchange.request(), exchange.response(), upgrade);
    return exchange;
  }

  @Test
  void serverThatIsOpenUpgrades() throws Exception {
    dial("5");
    assertThat(upgraded).hasSize(1);
    assertThat(refused).isEmpty();
  }

  @Test
  void containerIsAnsweredForEachHeaderAndGetsNoneToKeep() throws Exception {
    dial("5");
    HttpServletRequest request = upgraded.getFirst();
    assertThat(request.getHeader("Upgrade")).isEqualTo("websocket");
    assertThat(Collections.list(request.getHeaderNames())).isEmpty();
  }

  @Test
  void pausedServerReportsItWithATimeToReconnect() throws Exception {
    closedBecause = "paused";
    FakeExchange answer = dial("5");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.answered("Retry-After")).isEqualTo("1");
    assertThat(answer.text()).contains("the server is paused: try another, or again later");
    assertThat(upgraded).isEmpty();
    assertThat(refused).containsExactly("paused");
  }

  @Test
  void wrongRoomIsReportedInEveryServerState() throws Exception {
    closedBecause = "draining";
    assertThat(dial("a.b").status()).isEqualTo(400);
    assertThat(refused).containsExactly("bad room");
  }

  @Test
  void addressWithTooManyConnectionsIsRefusedBeforeTheUpgrade() throws Exception {
    assertThat(slots.take("192.0.2.1", false)).isNull();
    FakeExchange answer = dial("5");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.answered("Retry-After")).isEqualTo("1");
    assertThat(answer.text()).contains("RATE_LIMITED", "too many connections of this address");
    assertThat(refused).containsExactly("address");
    slots.giveBack("192.0.2.1", false);
    assertThat(dial("5").status()).isEqualTo(200);
    assertThat(upgraded).hasSize(1);
  }

  @Test
  void addressBeyondItsRateGetsATimeToReconnect() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(dial("5").status()).isEqualTo(200);
    }
    FakeExchange answer = dial("5");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.text()).contains("more requests per second from this address than allowed");
    assertThat(answer.answered("Retry-After")).isEqualTo("1");
    assertThat(refused).containsExactly("address");
    assertThat(upgraded).hasSize(3);
  }
}
