package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Messages published over HTTP: {@code POST /api/rooms/{roomId}/messages}. */
class PublishIT {

  private static final String KEY = "Idempotency-Key";
  private static final String JSON = "application/json";
  private static final int USERS = 64;
  private static final String HELLO = text(7, "hello");

  static String text(int user, String text) {
    return "{\"messageType\":\"TEXT\",\"userId\":\"%d\",\"username\":\"user%d\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00.123Z\"}"
        .formatted(user, user, text);
  }

  private static JsonObject json(HttpResponse<String> response) {
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  @BrokerTest
  void publishedMessageIsConfirmedAndShownOnEveryServer(TestBroker broker) throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "one");
        TestServer second = TestServer.start(broker.uri(), "two");
        ChatClient here = ChatClient.joined(first.chat("5"), 1);
        ChatClient there = ChatClient.joined(second.chat("5"), 2)) {
      HttpResponse<String> response = first.post("5", HELLO, KEY, "order-1");
      assertThat(response.statusCode()).isEqualTo(201);
      JsonObject receipt = json(response);
      assertThat(receipt.keySet()).containsExactly("messageId", "serverTimestamp");
      for (ChatClient member : List.of(here, there)) {
        JsonObject shown = member.awaitType("TEXT", 7);
        assertThat(shown.get("message").getAsString()).isEqualTo("hello");
        assertThat(shown.get("messageId").getAsString()).isEqualTo("order-1");
        assertThat(shown.get("serverTimestamp")).isEqualTo(receipt.get("serverTimestamp"));
        assertThat(shown.get("serverId").getAsString()).isEqualTo("one");
        assertThat(shown.keySet()).doesNotContain("session", "clientIp", "duplicate");
      }
      String made = json(first.post("5", HELLO)).get("messageId").getAsString();
      assertThat(made).hasSize(36);
      assertThat(there.awaitType("TEXT", 7).get("messageId").getAsString()).isEqualTo(made);
    }
  }

  @BrokerTest
  void dataAndTheNamedMessageReachMembersAndHistoryAsWritten(TestBroker broker) throws Exception {
    String room = "extras";
    String extras =
        "\"kind\":\"reply\",\"ref\":\"m-1\",\"refUserId\":\"1\",\"data\":{\"a\": [1e2, \"ü\"]}";
    Map<String, String> longer = Map.of("CHATFLOW_MAX_TEXT", "4000");
    try (TestServer first = TestServer.start(broker.uri(), "one", longer);
        TestServer second = TestServer.start(broker.uri(), "two");
        ChatClient there = ChatClient.joined(second.chat(room), 2)) {
      String most = "😀".repeat(4_000);
      String reply = with(text(7, most), extras);
      assertThat(first.post(room, reply).statusCode()).isEqualTo(201);
      JsonObject shown = there.awaitType("TEXT", 7);
      assertThat(shown.get("message").getAsString()).isEqualTo(most);
      assertThat(shown.get("ref").getAsString()).isEqualTo("m-1");
      assertThat(second.get("/api/rooms/" + room + "/messages?last=1").body()).contains(extras);
      assertThat(second.post(room, reply).body()).contains("at most 8192 bytes");
      String shorter = with(text(7, "x".repeat(501)), extras);
      assertThat(second.post(room, shorter).body()).contains("must have 0 to 500 characters");
      HttpResponse<String> foreign =
          first.post(room, with(text(7, "x"), extras.replace("reply", "edit")));
      assertThat(foreign.statusCode()).isEqualTo(422);
      assertThat(foreign.body()).contains("only the author or a moderator changes a message");
    }
  }

  private static String with(String text, String fields) {
    return text.replaceFirst("}$", "," + fields + "}");
  }

  @BrokerTest
  void broadcastOfEachSenderKeepsItsOrderWithManyPostsAtOnce(TestBroker broker) throws Exception {
    int each = 2_000 / USERS + 1;
    Map<String, String> metrics = Map.of("CHATFLOW_METRICS_PUBLIC", "true");
    try (TestServer first = TestServer.start(broker.uri(), "one", metrics);
        TestServer second = TestServer.start(broker.uri(), "two");
        ChatClient here = ChatClient.joined(first.chat("5"), 1_001);
        ChatClient there = ChatClient.joined(second.chat("5"), 1_002)) {
      inParallel(user -> {
        TestServer server = user % 2 == 0 ? first : second;
        for (int i = 0; i < each; i++) {
          assertThat(server.post("5", text(user, "" + i)).statusCode()).isEqualTo(201);
        }
      });
      for (ChatClient member : List.of(here, there)) {
        assertExactlyOnceInOrder(member, each);
      }
      Awaitility.await("slots are free")
          .until(
              () -> first.get("/metrics").body().contains("posts_in_flight{server_id=\"one\"} 0"));
    }
  }

  /** An action of one of {@value #USERS} users. */
  @FunctionalInterface
  private interface Doing {
    void run(int user) throws Exception;
  }

  private static void inParallel(Doing doing) throws Exception {
    try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int user = 1; user <= USERS; user++) {
        int one = user;
        all.add(
            users.submit(() -> {
              doing.run(one);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void assertExactlyOnceInOrder(ChatClient member, int each) {
    Map<Integer, Integer> next = new HashMap<>();
    for (int i = 0; i < USERS * each; i++) {
      JsonObject frame = member.nextJson();
      while (!frame.get("messageType").getAsString().equals("TEXT")) {
        frame = member.nextJson();
      }
      int user = frame.get("userId").getAsInt();
      assertThat(frame.get("message").getAsInt()).isEqualTo(next.getOrDefault(user, 0));
      next.merge(user, 1, Integer::sum);
    }
    assertThat(next.values()).containsOnly(each).hasSize(USERS);
  }

  @BrokerTest
  void withoutTheBrokerPostsAreRefusedAndLaterAcceptedAgain(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        ChatClient member = ChatClient.joined(server.chat("5"), 1)) {
      broker.goAway();
      Awaitility.await("noticed by the publisher").until(() -> circuit(server).equals("OPEN"));
      HttpResponse<String> refused = server.post("5", HELLO, KEY, "away");
      broker.comeBack();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 2L);
      JsonObject error = json(refused);
      assertThat(error.get("errorCode").getAsString()).isEqualTo("SERVICE_UNAVAILABLE");
      assertThat(error.get("error").getAsString()).contains("broker is unavailable", "try again");
      assertThat(error.get("retryAfterMs").getAsLong()).isBetween(1L, 2_000L);
      assertThat(error.get("messageId").getAsString()).isEqualTo("away");
      Awaitility.await("accepted again")
          .until(() -> server.post("5", HELLO, KEY, "away").statusCode() == 201);
      assertThat(member.awaitType("TEXT", 7).get("messageId").getAsString()).isEqualTo("away");
    }
  }

  private static String circuit(TestServer server) throws IOException {
    return json(server.get("/health")).getAsJsonObject("broker").get("circuit").getAsString();
  }

  @BrokerTest
  void everyPostConfirmedBeforeAStopIsShownOnce(TestBroker broker) throws Exception {
    try (TestServer stays = TestServer.start(broker.uri(), "two");
        ChatClient member = ChatClient.joined(stays.chat("5"), 1_001)) {
      Set<String> confirmed = ConcurrentHashMap.newKeySet();
      Set<Integer> others = ConcurrentHashMap.newKeySet();
      TestServer stops = TestServer.start(broker.uri(), "one");
      Thread stop =
          Thread.ofVirtual()
              .unstarted(() -> {
                try {
                  stops.close();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      inParallel(user -> postUntilRefused(stops, user, confirmed, others, stop));
      stop.join();
      assertThat(others).as("refusals").doesNotContain(202, 500);
      stays.post("5", text(2_000, "last"));
      List<String> shown = new ArrayList<>();
      JsonObject frame = member.nextJson();
      while (!frame.get("message").getAsString().equals("last")) {
        shown.add(frame.get("messageId").getAsString());
        frame = member.nextJson();
      }
      assertThat(shown).doesNotHaveDuplicates().containsAll(confirmed);
      assertThat(confirmed).hasSizeGreaterThan(USERS);
    }
  }

  /** The last user to have sent enough stops the server. */
  private static void postUntilRefused(
      TestServer server, int user, Set<String> confirmed, Set<Integer> others, Thread stop) {
    int status = 201;
    for (int i = 0; status == 201; i++) {
      String id = user + "-" + i;
      try {
        status = server.post("5", text(user, "x"), KEY, id).statusCode();
        if (status == 201) {
          confirmed.add(id);
        }
      } catch (IOException _) {
        status = 0; // the connection was closed, or rejected
      }
      if (user == USERS && i == 20) {
        stop.start();
      }
    }
    others.add(status);
  }

  /** The rejection of a request; {@code key} may be empty. */
  private record Refusal(
      int status, String code, String says, String room, String type, String key, String body) {

    static Refusal of(int status, String code, String says, String body) {
      return new Refusal(status, code, says, "5", JSON, "", body);
    }

    String[] headers() {
      return key.isEmpty()
          ? new String[] {"Content-Type", type}
          : new String[] {"Content-Type", type, KEY, key};
    }
  }

  private static String with(String field) {
    return HELLO.replace("\"timestamp\"", field + ",\"timestamp\"");
  }

  private static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(400, "BAD_ROOM", "1 to 64 of A-Z a-z 0-9 _ -", "a.b", JSON, "", HELLO),
          new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", JSON, "5", "text/plain", "", HELLO),
          new Refusal(
              415, "UNSUPPORTED_MEDIA_TYPE", "UTF-8", "5", JSON + "; charset=latin1", "", HELLO),
          Refusal.of(413, "PAYLOAD_TOO_LARGE", "at most 8192 bytes", text(7, "x".repeat(8_192))),
          Refusal.of(400, "MALFORMED_JSON", "\"error\":", HELLO.substring(0, 40)),
          Refusal.of(422, "VALIDATION_FAILED", "must have 1 to 500 characters", text(7, "")),
          Refusal.of(
              422,
              "VALIDATION_FAILED",
              "\"messageType\":\"must be TEXT: JOIN, LEAVE and SIGNAL need a WebSocket",
              HELLO.replace("TEXT", "JOIN")),
          Refusal.of(
              422,
              "VALIDATION_FAILED",
              "\"messageType\":\"must be TEXT: PING needs a WebSocket",
              "{\"messageType\":\"PING\"}"),
          Refusal.of(
              422,
              "VALIDATION_FAILED",
              "must be absent or the room of the URL",
              with("\"roomId\":\"6\"")),
          new Refusal(
              422,
              "VALIDATION_FAILED",
              "\"Idempotency-Key\":\"must have 1 to 64",
              "5",
              JSON,
              "a b",
              HELLO),
          new Refusal(
              422,
              "VALIDATION_FAILED",
              "must be absent or the messageId of the body, n-1",
              "5",
              JSON,
              "n-2",
              with("\"messageId\":\"n-1\"")));

  @Test
  void refusalNamesTheErrorAndTheAllowedValues() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      for (Refusal expected : REFUSALS) {
        HttpResponse<String> response =
            server.post(expected.room(), expected.body(), expected.headers());
        JsonObject error = json(response);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(expected.status());
        assertThat(error.get("status").getAsInt()).isEqualTo(expected.status());
        assertThat(error.get("errorCode").getAsString()).isEqualTo(expected.code());
        assertThat(response.body()).contains(expected.says());
      }
      assertThat(server.get("/api/stats").body())
          .contains("\"VALIDATION_FAILED\":6", "\"BAD_ROOM\":1", "\"PAYLOAD_TOO_LARGE\":1");
    }
  }

  @Test
  void messagesAndRoomsAreDistinguished() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      assertThat(server.get("/api/rooms/5/messages").body()).contains("\"messages\":[");
      assertThat(server.get("/api/rooms/messages").body()).contains("\"members\":[");
      assertThat(server.get("/api/rooms/5/members").statusCode()).isEqualTo(400);
      assertThat(server.get("/api/nothing").body()).contains("/api/rooms/{roomId}/messages");
    }
  }

  @Test
  void postsBeyondTheRateOfAnAddressGetATimeToRetry() throws Exception {
    Map<String, String> limit = Map.of("CHATFLOW_RATE_LIMIT", "1");
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one", limit)) {
      assertThat(server.post("5", HELLO).statusCode()).isEqualTo(201);
      HttpResponse<String> second = server.post("5", HELLO);
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(json(second).get("errorCode").getAsString()).isEqualTo("RATE_LIMITED");
    }
  }
}
