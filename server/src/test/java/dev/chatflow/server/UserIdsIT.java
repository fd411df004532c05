package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.identity.Issuer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one broker: one accepts any user id, the other only numbers. */
class UserIdsIT {

  private static final String ANN = "auth0:ann_1@example.org";
  private static final Map<String, String> ANY_ID = Map.of("CHATFLOW_USER_ID", "string");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static ChatClient ann(TestServer server, String room) {
    ChatClient ann = ChatClient.connect(server.chat(room), ANN, "ann");
    ann.send("JOIN", "");
    ann.awaitType("JOIN", ANN);
    return ann;
  }

  private static String message(JsonObject frame) {
    return frame.get("message").getAsString();
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @EmbeddedTest
  void membersOfBothSeeEachOther(TestBroker broker) throws Exception {
    String room = "ids-1";
    try (TestServer any = TestServer.start(broker.uri(), "any", ANY_ID);
        TestServer numbers = TestServer.start(broker.uri(), "numbers");
        ChatClient number = ChatClient.joined(numbers.chat(room), 17)) {
      ChatClient ann = ann(any, room);
      number.awaitType("JOIN", ANN);
      ann.send("TEXT", "to all");
      assertThat(message(number.awaitType("TEXT", ANN))).isEqualTo("to all");
      number.send("TEXT", "from a number");
      assertThat(message(ann.awaitType("TEXT", 17))).isEqualTo("from a number");
      assertThat(json(any.get("/api/rooms/" + room)).toString()).contains(ANN);
      ann(any, room).close();
      assertThat(ann.awaitClosed().code()).as("her newer connection took over").isEqualTo(4009);
      number.awaitType("LEAVE", ANN);
      for (TestServer server : List.of(any, numbers)) {
        assertThat(server.admin("GET", "/metrics").body())
            .containsPattern("\nchatflow_poison_total.* 0[.]0\n");
      }
    }
  }

  @EmbeddedTest
  void frameOfAnyUserIsFoundAgainOnEitherServer(TestBroker broker) throws Exception {
    String room = "ids-2";
    try (TestServer any = TestServer.start(broker.uri(), "any", ANY_ID);
        TestServer numbers = TestServer.start(broker.uri(), "numbers");
        ChatClient witness = ChatClient.joined(numbers.chat(room), 1);
        ChatClient ann = ann(any, room)) {
      ann.send("TEXT", "last seen");
      JsonObject last = witness.awaitType("TEXT", ANN);
      ann.send("TEXT", "missed");
      witness.awaitType("TEXT", ANN);
      try (ChatClient back = ChatClient.connect(numbers.chat(room), 17)) {
        String join = back.frame("JOIN", "");
        back.sendRaw(join.substring(0, join.length() - 1) + ",\"after\":" + last + "}");
        assertThat(back.nextJson()).isEqualTo(last);
        assertThat(message(back.awaitType("TEXT", ANN))).isEqualTo("missed");
      }
    }
  }

  @EmbeddedTest
  void serverWithNumericIdsAcceptsNoOtherIds(TestBroker broker) throws Exception {
    String rule = "must be an integer from 1 to 100000";
    try (TestServer numbers = TestServer.start(broker.uri(), "numbers");
        ChatClient ann = ChatClient.connect(numbers.chat("ids-3"), ANN, "ann")) {
      ann.send("JOIN", "");
      JsonObject error = ann.nextJson();
      assertThat(error.getAsJsonObject("errors").get("userId").getAsString()).isEqualTo(rule);
      HttpResponse<String> post = numbers.post("ids-3", ann.frame("TEXT", "hello"));
      assertThat(post.statusCode()).isEqualTo(422);
      assertThat(post.body()).contains(rule);
      assertThat(json(numbers.get("/health")).get("userIds").getAsString()).isEqualTo("number");
    }
  }

  @EmbeddedTest
  void subjectOfATokenIsAnIdOfTheServersUsers(TestBroker broker) throws Exception {
    Issuer issuer = Issuer.hs256("0123456789abcdef0123456789abcdef");
    String keys = issuer.writeKey(folder.resolve("keys")).toString();
    String token = issuer.token(ANN, Duration.ofHours(1), "*");
    String room = "ids-4";
    Map<String, String> any = Map.of("CHATFLOW_TOKEN_KEYS", keys, "CHATFLOW_USER_ID", "string");
    Map<String, String> number = Map.of("CHATFLOW_TOKEN_KEYS", keys);
    try (TestServer one = TestServer.start(broker.uri(), "any", any);
        TestServer two = TestServer.start(broker.uri(), "numbers", number)) {
      ChatClient refused = ChatClient.connect(two.chat(room), ANN, "ann", token);
      assertThat(refused.awaitClosed())
          .isEqualTo(
              new ChatClient.Closed(4001, "the token's sub must be an integer from 1 to 100000"));
      assertThat(two.get("/api/rooms", "Authorization", "Bearer " + token).statusCode())
          .isEqualTo(401);
      Map<String, Object> named = Issuer.claims(ANN, Duration.ofHours(1), "*");
      named.put("name", "ann\u202e");
      ChatClient unusable = ChatClient.connect(one.chat(room), ANN, "ann", issuer.sign(named));
      assertThat(unusable.awaitClosed().reason())
          .startsWith("the token's name must have 1 to 64 characters");
      ChatClient ann = ChatClient.connect(one.chat(room), ANN, "ann", token);
      ann.send("JOIN", "");
      ann.awaitType("JOIN", ANN);
      assertThat(json(one.admin("POST", "/users/" + ANN + "/close")).get("closed").getAsInt())
          .isEqualTo(1);
      assertThat(ann.awaitClosed().code()).isEqualTo(4001);
    }
  }
}
