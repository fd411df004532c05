package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.support.Answer;
import dev.chatflow.support.Request;
import dev.chatflow.support.Status;
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
        new Request(method, URI.create(path), "text/plain", List.of(), page, local, ""));
  }

  @Test
  void metricsHaveTheRequestedFormat() {
    assertThat(answer("GET", "/metrics"))
        .isEqualTo(new Answer(200, "text/plain", "chatflow_info 1"));
  }

  @Test
  void settingsAreThoseInForceWithSecretsMasked() {
    assertThat(answer("GET", "/settings").body())
        .isEqualTo("{\"CHATFLOW_AMQP_URI\":\"amqp://chat:***@broker\",\"CHATFLOW_SHARDS\":\"8\"}");
  }

  @Test
  void readyReportsTheMissingPart() {
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
  void drainIsAcceptedOnlyFromThisMachineAndFiguresFromAnywhere() {
    local = false;
    assertThat(answer("POST", "/drain").status()).isEqualTo(403);
    assertThat(drains).hasValue(0);
    assertThat(answer("GET", "/metrics").status()).isEqualTo(200);
  }

  @Test
  void userIsClosedOnlyByAPostFromThisMachine() {
    assertThat(answer("POST", "/users/17/close").body()).isEqualTo("{\"closed\":2}");
    assertThat(answer("POST", "/users/18/close").body()).isEqualTo("{\"closed\":0}");
    assertThat(answer("GET", "/users/17/close").status()).isEqualTo(405);
    assertThat(answer("POST", "/users/17").status()).isEqualTo(405);
    local = false;
    assertThat(answer("POST", "/users/17/close").status()).isEqualTo(403);
    assertThat(answer("GET", "/api/stats").body()).contains("\"serverId\":\"server-1\"");
  }

  @Test
  void overviewIsAllInOneAnswer() {
    assertThat(answer("GET", "/overview").body())
        .contains(
            "\"health\":{\"status\":\"UP\"",
            "\"stats\":{\"serverId\":\"server-1\"",
            "\"marks\":{\"connectionsLimit\":20000",
            "\"rejectedConnections\":{\"token\":1}",
            "\"slow\":{\"log full\":0}",
            "\"bucketMillis\":[1.0,10.0]",
            "\"hops\":[{\"name\":\"broker\",\"count\":3,\"seconds\":0.006,\"within\":[1,3]}]",
            "\"rooms\":[{\"roomId\":\"5\",\"members\":1}]",
            "\"others\":[]")
        .doesNotContain("unready");
    vitals.unready = "circuit OPEN";
    assertThat(answer("GET", "/overview").body()).contains("\"unready\":\"circuit OPEN\"");
  }

  @Test
  void pageAndItsFilesLoadNothingFromElsewhere() {
    Answer operations = answer("GET", "/");
    assertThat(operations.body()).startsWith("<!doctype html>");
    for (String file :
        List.of("operations.html", "operations.css", "operations.js", "figures.js", "alerts.js")) {
      Answer served = answer("GET", "/" + file);
      assertThat(served.status()).as(file).isEqualTo(200);
      assertThat(served.body().replace("http://www.w3.org/", ""))
          .as(file)
          .doesNotContainPattern("(src|href|from|url|import)[ =('\"]+https?:");
      assertThat(served.headers())
          .containsEntry("X-Content-Type-Options", "nosniff")
          .hasEntrySatisfying(
              "Content-Security-Policy",
              policy ->
                  assertThat(policy)
                      .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                      .endsWith("frame-ancestors 'none'"));
    }
    for (String file : List.of("chatflow.svg", "chatflow.yml", "runbook.md")) {
      assertThat(answer("GET", "/" + file).status()).as(file).isEqualTo(200);
    }
    assertThat(operations.body()).doesNotContain("<style", "style=", "onclick");
    assertThat(answer("GET", "/AdminAnswers.class").status()).isEqualTo(404);
    assertThat(answer("GET", "/../http/openapi.json").status()).isEqualTo(404);
  }

  @Test
  void levelOfTheLogIsSetOnlyByAPostFromThisMachine() {
    String before = answer("GET", "/log").body();
    assertThat(answer("POST", "/log/WARN").body()).isEqualTo("{\"level\":\"WARN\"}");
    assertThat(answer("GET", "/log").body()).isEqualTo("{\"level\":\"WARN\"}");
    assertThat(answer("POST", "/log/LOUD").status()).isEqualTo(400);
    assertThat(answer("POST", "/log/LOUD").body()).contains("one of ERROR, WARN, INFO, DEBUG");
    local = false;
    assertThat(answer("POST", "/log/DEBUG").status()).isEqualTo(403);
    local = true;
    assertThat(answer("POST", "/log/" + before.split("\"", -1)[3]).body()).isEqualTo(before);
  }

  @Test
  void roomListsAndActionsOfThePageAreGuarded() {
    assertThat(isGuarded("GET", "/overview")).isTrue();
    assertThat(isGuarded("POST", "/drain")).as("a program of this machine").isFalse();
    assertThat(isGuarded("GET", "/metrics")).isFalse();
    page = true;
    assertThat(isGuarded("POST", "/drain")).isTrue();
    assertThat(isGuarded("POST", "/users/17/close")).isTrue();
    assertThat(isGuarded("POST", "/log/DEBUG")).isTrue();
    assertThat(isGuarded("GET", "/metrics")).isFalse();
  }

  private boolean isGuarded(String method, String path) {
    return AdminAnswers.isGuarded(
        new Request(method, URI.create(path), null, List.of(), page, local, ""));
  }

  @Test
  void missingResourceIsAnsweredWithTheExistingOnes() {
    assertThat(answer("GET", "/rooms").status()).isEqualTo(404);
    assertThat(answer("GET", "/rooms").body()).contains("/metrics, /api/stats, /ready, /health");
    assertThat(answer("POST", "/metrics").body()).contains("METHOD_NOT_ALLOWED");
  }
}
