package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.identity.Issuer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens on the wire, on one server that requires them. */
@ParameterizedClass
@ValueSource(strings = {"portable", "direct"})
class IdentityIT {

  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");
  private static final Issuer NEXT = Issuer.es256();
  private static final Duration HOUR = Duration.ofHours(1);

  /** Within the leeway for a moment longer. */
  private static final Duration ABOUT_TO_EXPIRE = Duration.ofSeconds(-27);

  private static int lastRoom;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init") // before each round of the class
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static TestServer server;

  private static Path keys(String sink) {
    return folder.resolve("keys-" + sink);
  }

  private static Path denied(String sink) {
    return folder.resolve("denied-" + sink);
  }

  private final String room = "identity-" + ++lastRoom;
  private final String sink;

  IdentityIT(String sink) {
    this.sink = sink;
  }

  @BeforeParameterizedClassInvocation
  static void start(String sink) throws Exception {
    broker = EmbeddedBroker.start();
    ISSUER.writeKey(keys(sink));
    Files.writeString(denied(sink), "");
    Map<String, String> settings =
        Map.of(
            "CHATFLOW_SINK",
            sink,
            "CHATFLOW_HEARTBEAT",
            "3s",
            "CHATFLOW_RATE_LIMIT",
            "1000",
            "CHATFLOW_TOKEN_KEYS",
            keys(sink).toString(),
            "CHATFLOW_DENIED_USERS",
            denied(sink).toString());
    server = TestServer.start(broker.uri(), "identity", settings);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    server.close();
    broker.close();
  }

  @BeforeEach
  void denyNoUser() throws Exception {
    replace(denied(sink), "");
  }

  /** Replaces a file atomically, as an operator should. */
  private static void replace(Path file, String content) throws Exception {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private ChatClient joined(int user) {
    ChatClient client =
        ChatClient.connect(server.chat(room), user, ISSUER.token("" + user, HOUR, room));
    client.send("JOIN", "");
    client.awaitType("JOIN", user);
    return client;
  }

  private static void assertRefused(ChatClient client, String why) {
    ChatClient.Closed closed = client.awaitClosed();
    assertThat(closed.code()).isEqualTo(4001);
    assertThat(closed.reason()).contains(why);
    assertThat(client.received()).as("nothing but the close").isEmpty();
  }

  @Test
  void invalidTokenForTheRoomIsReportedByTheClose() {
    assertRefused(ChatClient.connect(server.chat(room), 1), "a token is required");
    assertRefused(
        ChatClient.connect(server.chat(room), 1, NEXT.token("1", HOUR, room)),
        "not signed with a key of this server");
    assertRefused(
        ChatClient.connect(server.chat(room), 1, ISSUER.token("1", HOUR, "elsewhere")),
        "does not allow room " + room);
  }

  @Test
  void pageShowsItsTokenAmongTheSubprotocolsAndOnlyTheVersionIsSelected() {
    String token = ISSUER.token("1", HOUR, "identity-*");
    ChatClient page = ChatClient.offering(server.chat(room), 1, "chatflow.v1", "token." + token);
    assertThat(page.subprotocol()).isEqualTo("chatflow.v1");
    page.send("JOIN", "");
    page.awaitType("JOIN", 1);
    page.close();
  }

  @Test
  void tokenInTheAddressIsNone() {
    String query = "?token=" + ISSUER.token("1", HOUR, room);
    assertRefused(
        ChatClient.connect(server.chat(room).resolve(room + query), 1), "a token is required");
  }

  @Test
  void joinAsAnotherUserIsAnsweredAndEnds() {
    ChatClient client = ChatClient.connect(server.chat(room), 2, ISSUER.token("1", HOUR, room));
    client.send("JOIN", "");
    JsonObject error = client.nextJson();
    assertThat(error.get("errorCode").getAsString()).isEqualTo("FORBIDDEN");
    assertThat(error.get("status").getAsInt()).isEqualTo(403);
    assertThat(error.get("error").getAsString()).contains("for user 1, not for 2");
    assertThat(client.awaitClosed().code()).isEqualTo(4001);
  }

  @Test
  void nameOfTheTokenIsTheOnlyOne() {
    Map<String, Object> claims = new HashMap<>(Issuer.claims("1", HOUR, room));
    claims.put("name", "alice");
    ChatClient client = ChatClient.connect(server.chat(room), 1, ISSUER.sign(claims));
    client.send("JOIN", "");
    assertThat(client.nextJson().get("error").getAsString()).contains("alice, not user1");
    assertThat(client.awaitClosed().code()).isEqualTo(4001);
  }

  @Test
  void serviceSpeaksAsAnyUser() {
    String service = ISSUER.token("*", HOUR, "*");
    try (ChatClient one = ChatClient.connect(server.chat(room), 1, service);
        ChatClient two = ChatClient.connect(server.chat(room), 2, service)) {
      one.send("JOIN", "");
      one.awaitType("JOIN", 1);
      two.send("JOIN", "");
      one.awaitType("JOIN", 2);
    }
  }

  @Test
  void expiredTokenHasItsOwnReason() {
    ChatClient late =
        ChatClient.connect(server.chat(room), 1, ISSUER.token("1", Duration.ofMinutes(-1), room));
    assertThat(late.awaitClosed().code()).isEqualTo(4002);
  }

  /**
   * A client's earlier messages are shown to all; it returns with a new token and the last frame it
   * had.
   */
  @Test
  void expiryUnderLoadLosesNothing() throws Exception {
    List<String> seen = new ArrayList<>();
    List<String> sent = new ArrayList<>();
    try (ChatClient witness = joined(2)) {
      String token = ISSUER.token("1", ABOUT_TO_EXPIRE, room);
      ChatClient before = ChatClient.connect(server.chat(room), 1, token);
      before.send("JOIN", "");
      JsonObject last = before.awaitType("JOIN", 1);
      while (!before.isClosed()) {
        String text = "t" + sent.size();
        sent.add(text);
        try {
          before.sendRaw(named(before, text));
        } catch (CompletionException _) {
          break; // it was closed in the meantime
        }
        await().until(() -> before.isClosed() || before.hasReceived());
        last = note(before, last, seen);
      }
      assertThat(before.awaitClosed().code()).isEqualTo(4002);
      last = note(before, last, seen);
      witness.send("TEXT", "meanwhile");
      witness.awaitType("LEAVE", 1);
      try (ChatClient after =
          ChatClient.connect(server.chat(room), 1, ISSUER.token("1", HOUR, room))) {
        String join = after.frame("JOIN", "");
        after.sendRaw(join.substring(0, join.length() - 1) + ",\"after\":" + last + "}");
        assertThat(after.nextJson()).as("the named frame again").isEqualTo(last);
        for (JsonObject frame = after.nextJson(); !isJoin(frame); frame = after.nextJson()) {
          note(frame, seen);
        }
        for (String text : sent) {
          if (!seen.contains(text)) {
            after.sendRaw(named(after, text));
            note(after.nextJson(), seen);
          }
        }
        assertThat(seen).contains("meanwhile").containsAll(sent).doesNotHaveDuplicates();
      }
    }
  }

  /** Notes received frames; returns the last one, or the previous one. */
  private static JsonObject note(ChatClient client, JsonObject before, List<String> seen) {
    JsonObject last = before;
    for (String frame : client.received()) {
      last = JsonParser.parseString(frame).getAsJsonObject();
      note(last, seen);
    }
    return last;
  }

  private static boolean isJoin(JsonObject frame) {
    return frame.get("messageType").getAsString().equals("JOIN");
  }

  private static String named(ChatClient client, String text) {
    String frame = client.frame("TEXT", text);
    return frame.substring(0, frame.length() - 1) + ",\"messageId\":\"m-" + text + "\"}";
  }

  private static void note(JsonObject frame, List<String> seen) {
    if (frame.get("messageType").getAsString().equals("TEXT")) {
      seen.add(frame.get("message").getAsString());
    }
  }

  /**
   * Renewal: a new connection takes over, the old one is closed with 4009, and nothing is lost
   * between them.
   */
  @Test
  void newTokenOnANewConnectionTakesOver() {
    ChatClient old = joined(1);
    try (ChatClient renewed = joined(1)) {
      assertThat(old.awaitClosed().code()).isEqualTo(4009);
      renewed.send("TEXT", "still here");
      assertThat(renewed.awaitType("TEXT", 1).get("message").getAsString()).isEqualTo("still here");
    }
  }

  private HttpResponse<String> post(int user, String... headers) throws Exception {
    String text =
        "{\"messageType\":\"TEXT\",\"userId\":%d,\"username\":\"user%d\",\"message\":\"hello\",\"timestamp\":\"2026-11-20T18:46:00Z\",\"messageId\":\"m-1\"}"
            .formatted(user, user);
    return server.post(room, text, headers);
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  @Test
  void postNeedsTheRoomAndTheUser() throws Exception {
    HttpResponse<String> nobody = post(1);
    assertThat(nobody.statusCode()).isEqualTo(401);
    assertThat(nobody.body()).contains("UNAUTHORIZED", "a token is required");
    assertThat(nobody.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    HttpResponse<String> elsewhere = post(1, bearer(ISSUER.token("1", HOUR, "elsewhere")));
    assertThat(elsewhere.statusCode()).isEqualTo(403);
    assertThat(elsewhere.body()).contains("FORBIDDEN", "does not allow room");
    HttpResponse<String> other = post(2, bearer(ISSUER.token("1", HOUR, room)));
    assertThat(other.statusCode()).isEqualTo(403);
    assertThat(other.body()).contains("for user 1, not for 2", "\"messageId\":\"m-1\"");
    assertThat(post(1, bearer(ISSUER.token("1", HOUR, room))).statusCode()).isEqualTo(201);
    assertThat(post(3, bearer(ISSUER.token("*", HOUR, room))).statusCode()).isEqualTo(201);
  }

  @Test
  void roomsAreListedForUsersWithAccess() throws Exception {
    String[] mine = bearer(ISSUER.token("1", HOUR, room));
    try (ChatClient member = joined(1)) {
      assertThat(server.get("/api/rooms").statusCode()).isEqualTo(401);
      assertThat(server.get("/api/rooms", mine).body()).contains("\"" + room + "\"");
      assertThat(server.get("/api/rooms", bearer(ISSUER.token("1", HOUR, "x"))).body())
          .isEqualTo("{\"complete\":true,\"rooms\":[]}");
      assertThat(server.get("/api/rooms/" + room, mine).body()).contains("user1");
      assertThat(server.get("/api/rooms/" + room + "/messages", mine).body()).contains("JOIN");
      assertThat(server.get("/api/rooms/other", mine).statusCode()).isEqualTo(403);
      assertThat(server.get("/api/rooms/other/messages", mine).statusCode()).isEqualTo(403);
      assertThat(member.isClosed()).isFalse();
    }
  }

  @Test
  void countersAndReasonsAreForTheAdminListener() throws Exception {
    assertThat(server.get("/api/stats", bearer(ISSUER.token("*", HOUR, "*"))).statusCode())
        .isEqualTo(404);
    assertThat(server.admin("GET", "/api/stats").body()).contains("\"messagesIn\"");
    assertThat(server.get("/ready").body()).isEqualTo("{\"ready\":true}");
    assertThat(server.get("/health").body()).contains("\"auth\":\"token\"");
  }

  @Test
  void userIsClosedByTheAdminListener() throws Exception {
    try (ChatClient other = joined(2)) {
      ChatClient client = joined(1);
      assertThat(server.admin("POST", "/users/1/close").body()).isEqualTo("{\"closed\":1}");
      assertThat(client.awaitClosed().code()).isEqualTo(4001);
      other.awaitType("LEAVE", 1);
      assertThat(other.isClosed()).isFalse();
    }
  }

  @Test
  void deniedUserIsClosedAndRefusedAgain() throws Exception {
    ChatClient client = joined(7);
    replace(denied(sink), "7\n");
    assertThat(client.awaitClosed().code()).isEqualTo(4001);
    assertRefused(
        ChatClient.connect(server.chat(room), 7, ISSUER.token("7", HOUR, room)),
        "access of this user was revoked");
    assertThat(post(7, bearer(ISSUER.token("*", HOUR, room))).statusCode())
        .as("by a service in the user's name")
        .isEqualTo(403);
  }

  /**
   * As after a leak: tokens of the old key no longer open connections, and existing ones are
   * closed.
   */
  @Test
  void keyIsReplacedWhileTheServerRuns() throws Exception {
    try (ChatClient member = joined(1)) {
      NEXT.writeKey(keys(sink).resolveSibling("next-key"));
      Files.move(keys(sink).resolveSibling("next-key"), keys(sink), StandardCopyOption.ATOMIC_MOVE);
      String[] next = bearer(NEXT.token("1", HOUR, room));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> server.get("/api/rooms", next).statusCode() == 200);
      assertThat(server.get("/api/rooms", bearer(ISSUER.token("1", HOUR, room))).statusCode())
          .isEqualTo(401);
      ChatClient.Closed closed = member.awaitClosed();
      assertThat(closed.code()).isEqualTo(4001);
      try (ChatClient again =
          ChatClient.connect(server.chat(room), 1, NEXT.token("1", HOUR, room))) {
        again.send("JOIN", "");
        again.awaitType("JOIN", 1);
      }
    } finally {
      ISSUER.writeKey(keys(sink));
      String[] first = bearer(ISSUER.token("1", HOUR, room));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> server.get("/api/rooms", first).statusCode() == 200);
    }
  }

  private String reading(String user) {
    Map<String, Object> claims = new HashMap<>(Issuer.claims(user, HOUR, "elsewhere"));
    claims.put("read", List.of(room));
    return ISSUER.sign(claims);
  }

  private String moderating(String user) {
    Map<String, Object> claims = new HashMap<>(Issuer.claims(user, HOUR, room));
    claims.put("moderate", List.of(room));
    return ISSUER.sign(claims);
  }

  private ChatClient joined(int user, String token) {
    ChatClient client = ChatClient.connect(server.chat(room), user, token);
    client.send("JOIN", "");
    client.awaitType("JOIN", user);
    return client;
  }

  @Test
  void readerSeesTheRoomAndMayNotSpeak() throws Exception {
    try (ChatClient reader = joined(1, reading("1"));
        ChatClient speaker = joined(2)) {
      reader.awaitType("JOIN", 2);
      reader.send("TEXT", "hello");
      assertThat(reader.nextJson().get("errorCode").getAsString()).isEqualTo("READ_ONLY");
      reader.send("LEAVE", "not even here");
      assertThat(reader.nextJson().get("errorCode").getAsString()).isEqualTo("READ_ONLY");
      speaker.send("TEXT", "news");
      assertThat(reader.awaitType("TEXT", 2).get("message").getAsString()).isEqualTo("news");
      reader.send("LEAVE", "");
      reader.awaitType("LEAVE", 1);
    }
  }

  @Test
  void moderatorDeletesAMessageOfAnother() throws Exception {
    try (ChatClient speaker = joined(1);
        ChatClient moderator = joined(2, moderating("2"))) {
      speaker.send("TEXT", "rude");
      String id = moderator.awaitType("TEXT", 1).get("messageId").getAsString();
      String deletion = ",\"kind\":\"delete\",\"ref\":\"" + id + "\",\"refUserId\":\"1\"}";
      moderator.sendRaw(moderator.frame("TEXT", "").replaceFirst("}$", deletion));
      assertThat(speaker.awaitType("TEXT", 2).get("moderated").getAsBoolean()).isTrue();
    }
  }

  @Test
  void shortPostIsFromTheUserOfItsToken() throws Exception {
    try (ChatClient member = joined(2)) {
      String body = "{\"text\":\"hello\",\"kind\":\"note\"}";
      HttpResponse<String> posted = server.post(room, body, bearer(ISSUER.token("1", HOUR, room)));
      assertThat(posted.statusCode()).as(posted.body()).isEqualTo(201);
      JsonObject shown = member.awaitType("TEXT", 1);
      assertThat(shown.get("message").getAsString()).isEqualTo("hello");
      assertThat(shown.get("kind").getAsString()).isEqualTo("note");

      String service = ISSUER.token("*", HOUR, room);
      HttpResponse<String> nobody = server.post(room, body, bearer(service));
      assertThat(nobody.statusCode()).isEqualTo(422);
      assertThat(nobody.body()).contains("\"userId\":\"is missing", "\"username\":\"is missing");
      String bot = "{\"text\":\"hello\",\"userId\":\"9\",\"username\":\"bot\"}";
      assertThat(server.post(room, bot, bearer(service)).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void moderatorRemovesAMemberWhoStaysAway() throws Exception {
    try (ChatClient rude = joined(1);
        ChatClient moderator = joined(2, moderating("2"))) {
      String member = "/api/rooms/" + room + "/members/1";
      assertThat(server.delete(member, bearer(ISSUER.token("1", HOUR, room))).statusCode())
          .isEqualTo(403);
      String[] rights = bearer(moderating("2"));
      assertThat(server.delete(member, rights).statusCode()).isEqualTo(202);
      JsonObject leave = moderator.awaitType("LEAVE", 1);
      assertThat(leave.get("removed").getAsBoolean()).isTrue();
      assertThat(rude.awaitClosed().code()).isEqualTo(4005);
      assertThat(server.delete(member, rights).statusCode()).isEqualTo(404);
      assertThat(server.delete(member.replace("/members/1", "/members/"), rights).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void mutedUserIsNotHeardUntilTheMuteEnds() throws Exception {
    String mute = "/api/rooms/" + room + "/mutes/1";
    String seconds = "{\"seconds\":600}";
    String[] ofUser = bearer(ISSUER.token("1", HOUR, room));
    String[] rights = bearer(moderating("2"));
    assertThat(server.put(mute, seconds, ofUser).statusCode()).isEqualTo(403);
    assertThat(server.put(mute, "{\"seconds\":0}", rights).body()).contains("1 to 604800");
    assertThat(server.put(mute + "%20", seconds, rights).statusCode()).isEqualTo(422);
    String[] asProblem = {ofUser[0], ofUser[1], "Accept", "application/problem+json"};
    HttpResponse<String> problem = server.put(mute, seconds, asProblem);
    assertThat(problem.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(problem.body()).contains("\"title\":\"FORBIDDEN\",\"detail\":\"only a token");
    try (ChatClient rude = joined(1);
        ChatClient moderator = joined(2, moderating("2"))) {
      assertThat(server.put(mute, seconds, rights).statusCode()).isEqualTo(200);
      JsonObject signal = moderator.awaitType("SIGNAL", 1);
      assertThat(signal.get("kind").getAsString()).isEqualTo("mute");
      assertThat(signal.get("userId").getAsString()).isEqualTo("1");

      rude.send("TEXT", "rude");
      assertThat(rude.awaitType("SIGNAL", 1)).isEqualTo(signal);
      assertThat(rude.nextJson().get("errorCode").getAsString()).isEqualTo("MUTED");
      assertThat(server.post(room, "{\"text\":\"rude\"}", ofUser).body()).contains("MUTED");

      rude.send("LEAVE", "rude");
      assertThat(moderator.awaitType("LEAVE", 1).get("message").getAsString()).isEmpty();
      String join = rude.frame("JOIN", "rude");
      rude.sendRaw(join.substring(0, join.length() - 1) + ",\"data\":{\"rude\":true}}");
      JsonObject shown = moderator.awaitType("JOIN", 1);
      assertThat(shown.get("message").getAsString()).isEmpty();
      assertThat(shown.has("data")).isFalse();
      assertThat(server.get("/api/rooms/" + room, rights).body()).doesNotContain("rude");

      assertThat(server.delete(mute, rights).statusCode()).isEqualTo(200);
      rude.send("TEXT", "sorry");
      assertThat(moderator.awaitType("TEXT", 1).get("message").getAsString()).isEqualTo("sorry");
    }
  }
}
