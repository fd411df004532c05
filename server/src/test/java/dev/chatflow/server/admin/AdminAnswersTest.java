package dev.chatflow.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.http.Answer;
import dev.chatflow.http.Request;
import dev.chatflow.http.Status;
import dev.chatflow.server.http.FakeVitals;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AdminAnswersTest {

  private final FakeVitals vitals = new FakeVitals();
  private final AtomicInteger drains = new AtomicInteger();
  private final AdminAnswers admin =
      new AdminAnswers(
          vitals,
          Map.of("CHATFLOW_SHARDS", "8", "CHATFLOW_AMQP_URI", "amqp://chat:***@broker"),
          () -> {
            drains.incrementAndGet();
            vitals.status = Status.DRAINING;
          },
          user -> user.equals("17") ? 2 : 0);

  private boolean page;
  private boolean local = true;

  private Answer answer(String method, String path) {
    return admin.answer(
        new Request(method, URI.create(path), "text/plain", List.of(), page, local));
  }

  @Test
  void metricsComeInTheFormThatWasAskedFor() {
    assertThat(answer("GET", "/metrics"))
        .isEqualTo(new Answer(200, "text/plain", "chatflow_info 1"));
  }

  @Test
  void settingsAreThoseInForceWithSecretsMasked() {
    assertThat(answer("GET", "/settings").body())
        .isEqualTo("{\"CHATFLOW_AMQP_URI\":\"amqp://chat:***@broker\",\"CHATFLOW_SHARDS\":\"8\"}");
  }

  @Test
  void readyTellsWhatIsMissing() {
    assertThat(answer("GET", "/ready").status()).isEqualTo(200);
    vitals.unready = "circuit OPEN";
    assertThat(answer("GET", "/ready").status()).isEqualTo(503);
    assertThat(answer("GET", "/ready").body()).contains("\"reason\":\"circuit OPEN\"");
  }

  @Test
  void healthOfAServerWithoutItsBrokerForAMomentIsNoReasonToTakeItOut() {
    vitals.status = Status.DEGRADED;
    assertThat(answer("GET", "/health").status()).isEqualTo(200);
    vitals.status = Status.STARTING;
    assertThat(answer("GET", "/health").status()).isEqualTo(503);
  }

  @Test
  void drainIsAPostAndAnsweredWhenItIsDone() {
    assertThat(answer("GET", "/drain").status()).isEqualTo(405);
    assertThat(drains).hasValue(0);
    Answer drained = answer("POST", "/drain");
    assertThat(drains).hasValue(1);
    assertThat(drained.status()).isEqualTo(503);
    assertThat(drained.body()).contains("DRAINING");
  }

  @Test
  void drainIsTakenFromThisMachineAloneAndFiguresFromAnywhere() {
    local = false;
    assertThat(answer("POST", "/drain").status()).isEqualTo(403);
    assertThat(drains).hasValue(0);
    assertThat(answer("GET", "/metrics").status()).isEqualTo(200);
  }

  @Test
  void userIsClosedByAPostFromThisMachineAlone() {
    assertThat(answer("POST", "/users/17/close").body()).isEqualTo("{\"closed\":2}");
    assertThat(answer("POST", "/users/18/close").body()).isEqualTo("{\"closed\":0}");
    assertThat(answer("GET", "/users/17/close").status()).isEqualTo(405);
    assertThat(answer("POST", "/users/17").status()).isEqualTo(405);
    local = false;
    assertThat(answer("POST", "/users/17/close").status()).isEqualTo(403);
    assertThat(answer("GET", "/api/stats").body()).contains("\"serverId\":\"server-1\"");
  }

  @Test
  void whatIsNotThereIsToldWithWhatIs() {
    assertThat(answer("GET", "/rooms").status()).isEqualTo(404);
    assertThat(answer("GET", "/rooms").body()).contains("/metrics, /api/stats, /ready, /health");
    assertThat(answer("POST", "/metrics").body()).contains("METHOD_NOT_ALLOWED");
  }
}
