package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.delivery.PastAnswer;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.Issuer;
import dev.chatflow.message.UserIds;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.Origins;
import dev.chatflow.server.edge.TestEdge;
import dev.chatflow.server.edge.TrustedProxies;
import dev.chatflow.support.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServletTest {

  private static final Gate GATE =
      new Gate(
          TrustedProxies.parse(""),
          Origins.parse("https://*.example.com", /* local= */ false),
          Access.open(),
          UserIds.NUMBER,
          TestEdge.clock(System::currentTimeMillis));

  private static final PresenceHandler PRESENCE = new PresenceHandler(new FakePresence());

  private final FakeVitals vitals = new FakeVitals();
  private final PostedTexts posted = new PostedTexts();
  private final PastHandler past =
      new PastHandler(
          (_, _, _) -> CompletableFuture.completedFuture(new PastAnswer.Answered(List.of("{}"))),
          100,
          posted);
  private final ApiServlet api =
      new ApiServlet(vitals, posted.handler(), past, PRESENCE, GATE, false);

  private static FakeExchange ask(ApiServlet api, FakeExchange exchange) throws Exception {
    api.service(exchange.request(), exchange.response());
    return exchange;
  }

  private FakeExchange get(String path) throws Exception {
    return ask(api, new FakeExchange("GET", path, null));
  }

  private FakeExchange api(String method, String path) throws Exception {
    return ask(api, new FakeExchange(method, "/api", path));
  }

  @Test
  void queriesAreAnsweredInJsonThatIsNotCached() throws Exception {
    FakeExchange stats = api("GET", "/stats");
    assertThat(stats.status()).isEqualTo(200);
    assertThat(stats.answered("Content-Type")).isEqualTo("application/json");
    assertThat(stats.answered("Cache-Control")).isEqualTo("no-store");
    assertThat(stats.text()).startsWith("{\"serverId\":\"server-1\"");
  }

  private String presence(String path) throws Exception {
    FakeExchange asked = api("GET", path);
    asked.awaitAnswer();
    return asked.text();
  }

  @Test
  void presenceIsReportedInPages() throws Exception {
    assertThat(presence("/rooms"))
        .isEqualTo("{\"complete\":true,\"rooms\":[{\"roomId\":\"5\",\"members\":1}]}");
    assertThat(presence("/rooms/5"))
        .isEqualTo(
            "{\"roomId\":\"5\",\"count\":1,\"complete\":true,\"members\":[{\"userId\":\"7\","
                + "\"username\":\"user7\",\"joinedAt\":\"2026-11-20T18:46:00Z\",\"data\":{\"away\":true}}]}");
    assertThat(presence("/rooms/nobody-is-here")).contains("\"count\":0", "\"members\":[]");
  }

  @Test
  void incompleteListNamesATimeToRetry() throws Exception {
    FakeExchange asked = api("GET", "/rooms/part");
    asked.awaitAnswer();
    assertThat(asked.status()).isEqualTo(200);
    assertThat(asked.answered("Retry-After")).isEqualTo("1");
    assertThat(asked.text()).contains("\"complete\":false", "\"next\":\"7\"");
  }

  @Test
  void wrongLimitIsRefused() throws Exception {
    for (String limit : List.of("0", "1001", "x", "")) {
      FakeExchange asked =
          ask(api, new FakeExchange("GET", "/api", "/rooms").parameter("limit", limit));
      assertThat(asked.status()).as(limit).isEqualTo(400);
      assertThat(asked.text()).contains("BAD_QUERY", "limit must be an integer from 1 to 1000");
    }
  }

  @Test
  void healthAndReadinessHaveTheStatusThatBalancersLookAt() throws Exception {
    assertThat(get("/health").status()).isEqualTo(200);
    assertThat(get("/ready").status()).isEqualTo(200);
    vitals.status = Status.DRAINING;
    vitals.unready = "draining";
    assertThat(get("/health").status()).isEqualTo(503);
    assertThat(get("/ready").status()).isEqualTo(503);
  }

  /** A version shows known vulnerabilities. */
  @Test
  void withTokensHealthShowsNoVersion(@TempDir Path folder) throws Exception {
    assertThat(get("/health").text()).contains("\"version\"", "\"revision\"");
    Issuer issuer = Issuer.hs256("0123456789abcdef0123456789abcdef");
    Path keys = issuer.writeKey(folder.resolve("keys"));
    try (Access access = Access.of(AccessConfig.parse(keys.toString(), ""), "test-")) {
      Gate gate = TestEdge.gate("", access, TestEdge.clock(() -> 0));
      ApiServlet asking = new ApiServlet(vitals, posted.handler(), past, PRESENCE, gate, false);
      assertThat(ask(asking, new FakeExchange("GET", "/health", null)).text())
          .contains("\"status\"", "\"auth\"")
          .doesNotContain("\"version\"", "\"revision\"");
    }
  }

  @Test
  void metricsAreServedHereOnlyWhereThatWasAsked() throws Exception {
    assertThat(get("/metrics").status()).isEqualTo(404);
    assertThat(get("/metrics").text()).contains("CHATFLOW_METRICS_PUBLIC=true");
    ApiServlet open = new ApiServlet(vitals, posted.handler(), past, PRESENCE, GATE, true);
    assertThat(ask(open, new FakeExchange("GET", "/metrics", null)).text())
        .isEqualTo("chatflow_info 1");
  }

  @Test
  void wrongRoomDiffersFromAMissingResource() throws Exception {
    assertThat(api("GET", "/rooms/a room").status()).isEqualTo(400);
    assertThat(api("GET", "/rooms/a room").text()).contains("BAD_ROOM");
    assertThat(api("GET", "/users").status()).isEqualTo(404);
    assertThat(api("GET", "/users").text()).contains("NOT_FOUND", "/api/stats");
  }

  @Test
  void eachPathTakesItsOwnMethod() throws Exception {
    FakeExchange deleted = api("DELETE", "/stats");
    assertThat(deleted.status()).isEqualTo(405);
    assertThat(deleted.answered("Allow")).isEqualTo("GET, HEAD");
    FakeExchange removed = api("DELETE", "/rooms/5/messages");
    assertThat(removed.status()).isEqualTo(405);
    assertThat(removed.answered("Allow")).isEqualTo("GET, HEAD, POST");
    assertThat(api("POST", "/rooms/messages").status()).isEqualTo(405);
  }

  /** The protocol guarantees one body for all; some rejections were sent without their time. */
  @Test
  void everyRefusalHasTheBodyOfAnErrorFrame() throws Exception {
    FakeExchange foreign =
        new FakeExchange("GET", "/api", "/stats").header("Origin", "https://evil.test");
    List<FakeExchange> refusals =
        List.of(
            ask(api, foreign),
            api("GET", "/rooms/a room"),
            api("GET", "/users"),
            api("DELETE", "/stats"),
            get("/metrics"),
            ask(api, FakeExchange.post("a room", PostRequestTest.TEXT)));
    assertThat(refusals)
        .allSatisfy(refused -> {
          assertThat(refused.text())
              .matches(
                  "\\{\"status\":%d,.*,\"serverTimestamp\":\".+\"}".formatted(refused.status()));
          assertThat(refused.answered("Cache-Control")).isEqualTo("no-store");
        });
  }

  @Test
  void messagesOfARoomAreAskedForWhereTheyArePosted() throws Exception {
    FakeExchange told = api("GET", "/rooms/5/messages");
    told.awaitAnswer();
    assertThat(told.text()).isEqualTo("{\"roomId\":\"5\",\"messages\":[{}]}");
  }

  @Test
  void wrongPostIsAnsweredAndCounted() throws Exception {
    FakeExchange wrong = ask(api, FakeExchange.post("5", "{"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.answered("Content-Length")).isEqualTo("" + wrong.text().length());
    assertThat(posted.refused).containsExactly("MALFORMED_JSON");
    assertThat(posted.answered).containsExactly(400);
  }

  /** Only well-formed messages were counted, so that malformed ones cost their sender nothing. */
  @Test
  void everyRequestCountsTowardsTheRateAndOneTooManyIsNotRead() throws Exception {
    Gate gate = TestEdge.gate("", Access.open(1), TestEdge.clock(() -> 0));
    ApiServlet limited = new ApiServlet(vitals, posted.handler(), past, PRESENCE, gate, false);
    FakeExchange refused =
        await()
            .until(
                () -> ask(limited, FakeExchange.post("5", "{")),
                exchange -> exchange.status() == 429);
    assertThat(refused.answered("Retry-After")).isEqualTo("1");
    assertThat(refused.text()).contains("RATE_LIMITED").doesNotContain("messageId");
    assertThat(refused.wasRead()).isFalse();
    assertThat(posted.refused.getFirst()).as("the first one is judged").isEqualTo("MALFORMED_JSON");
    for (String path : List.of("/rooms", "/rooms/5", "/rooms/5/messages", "/stats", "/nothing")) {
      assertThat(ask(limited, new FakeExchange("GET", "/api", path)).status())
          .as(path)
          .isEqualTo(429);
    }
    assertThat(ask(limited, new FakeExchange("GET", "/health", null)).status())
        .as("balancers ask as often as they like")
        .isEqualTo(200);
  }

  @Test
  void repeatedWaitIsTheSame() throws Exception {
    Gate gate = TestEdge.gate("", Access.open(200), TestEdge.clock(() -> 0));
    ApiServlet limited = new ApiServlet(vitals, posted.handler(), past, PRESENCE, gate, false);
    for (int i = 0; i < 200; i++) {
      assertThat(ask(limited, new FakeExchange("GET", "/api", "/stats")).status()).isEqualTo(200);
    }
    FakeExchange refused = ask(limited, new FakeExchange("GET", "/api", "/stats"));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.answered("Retry-After")).isEqualTo("1");
    assertThat(refused.text()).contains("\"retryAfterMs\":1000");
  }

  @Test
  void drainingServerSendsATimeToReconnect() throws Exception {
    posted.closedBecause = "draining";
    FakeExchange refused = ask(api, FakeExchange.post("5", PostRequestTest.TEXT));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.answered("Retry-After")).isEqualTo("1");
    assertThat(refused.text()).contains("SERVICE_UNAVAILABLE", "draining", "\"messageId\":\"m-1\"");
  }

  @Test
  void pausedServerRefusesFramesThatWaited() throws Exception {
    posted.closedBecause = "paused";
    FakeExchange refused = ask(api, FakeExchange.post("5", PostRequestTest.TEXT));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.answered("Retry-After")).isEqualTo("1");
    assertThat(refused.text()).contains("the server is paused: try another, or again later");
    assertThat(posted.lines).isEmpty();
  }

  @Test
  void acceptedTextIsAnsweredWithItsReceiptOnceItIsConfirmed() throws Exception {
    FakeExchange created = ask(api, FakeExchange.post("5", PostRequestTest.TEXT));
    created.awaitAnswer();
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.text()).contains("\"messageId\":\"m-1\"");
    assertThat(posted.lines).hasSize(1);
    await().untilAsserted(() -> assertThat(posted.answered).containsExactly(201));
  }

  @Test
  void pageOfAnotherOriginIsRefused() throws Exception {
    FakeExchange foreign =
        ask(
            api,
            FakeExchange.post("5", PostRequestTest.TEXT).header("Origin", "https://evil.test"));
    assertThat(foreign.status()).isEqualTo(403);
    assertThat(foreign.text()).contains("FORBIDDEN", "https://evil.test", "CHATFLOW_ORIGINS");
    assertThat(foreign.answered("Access-Control-Allow-Origin")).isNull();
    assertThat(posted.lines).isEmpty();
    FakeExchange health = new FakeExchange("GET", "/health", null);
    assertThat(ask(api, health.header("Origin", "https://evil.test")).status())
        .as("for balancers, whatever they send")
        .isEqualTo(200);
  }

  @Test
  void listedPageMaySendRequestsAndReadTheResponse() throws Exception {
    String page = "https://app.example.com";
    FakeExchange preflight =
        new FakeExchange("OPTIONS", "/api", "/rooms/5/messages")
            .header("Origin", page)
            .header("Access-Control-Request-Method", "POST");
    assertThat(ask(api, preflight).status()).isEqualTo(204);
    assertThat(preflight.answered("Access-Control-Allow-Origin")).isEqualTo(page);
    assertThat(preflight.answered("Access-Control-Allow-Headers"))
        .isEqualTo("Authorization, Content-Type, Idempotency-Key");
    FakeExchange created =
        ask(api, FakeExchange.post("5", PostRequestTest.TEXT).header("Origin", page));
    created.awaitAnswer();
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.answered("Access-Control-Allow-Origin")).isEqualTo(page);
    assertThat(created.answered("Vary")).isEqualTo("Origin");
  }
}
