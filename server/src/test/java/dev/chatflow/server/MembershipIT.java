package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Membership through a real broker, on one server and on two. */
@ParameterizedClass
@ValueSource(strings = {"portable", "direct"})
class MembershipIT {

  private final Map<String, String> sink;

  MembershipIT(String sink) {
    this.sink = Map.of("CHATFLOW_SINK", sink);
  }

  @BrokerTest
  void firstFrameIsTheOwnJoinAndTheLastTheOwnLeave(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one", sink);
        ChatClient watcher = ChatClient.joined(server.chat("5"), 1);
        ChatClient client = ChatClient.connect(server.chat("5"), 2)) {
      client.send("JOIN", "");
      client.send("TEXT", "hello");
      client.send("LEAVE", "");
      assertThat(client.nextJson().get("messageType").getAsString()).isEqualTo("JOIN");
      assertThat(client.nextJson().get("message").getAsString()).isEqualTo("hello");
      assertThat(client.nextJson().get("messageType").getAsString()).isEqualTo("LEAVE");
      watcher.awaitType("LEAVE", 2);
      watcher.send("TEXT", "after");
      watcher.awaitType("TEXT", 1);
      client.send("JOIN", "");
      JsonObject next = client.nextJson();
      assertThat(next.get("messageType").getAsString()).as("nothing before it").isEqualTo("JOIN");
      assertThat(next.get("userId").getAsInt()).isEqualTo(2);
    }
  }

  @BrokerTest
  void connectionMayLeaveAndJoinAgainAsAnotherUserWithoutWaiting(TestBroker broker)
      throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one", sink);
        ChatClient client = ChatClient.connect(server.chat("5"), 2)) {
      for (int user = 2; user < 7; user++) {
        for (String type : List.of("JOIN", "TEXT", "LEAVE")) {
          client.sendRaw(
              client
                  .frame(type, "as " + user)
                  .replace("\"userId\":\"2\"", "\"userId\":\"" + user + "\""));
        }
      }
      for (int user = 2; user < 7; user++) {
        for (String type : List.of("JOIN", "TEXT", "LEAVE")) {
          JsonObject frame = client.nextJson();
          assertThat(frame.get("messageType").getAsString()).isEqualTo(type);
          assertThat(frame.get("userId").getAsInt()).isEqualTo(user);
        }
      }
    }
  }

  @BrokerTest
  void vanishedConnectionIsFollowedByOneLeave(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one", sink);
        ChatClient watcher = ChatClient.joined(server.chat("5"), 1)) {
      ChatClient gone = ChatClient.joined(server.chat("5"), 2);
      watcher.awaitType("JOIN", 2);
      gone.vanish();
      JsonObject leave = watcher.awaitType("LEAVE", 2);
      assertThat(leave.get("synthetic").getAsBoolean()).isTrue();
      assertThat(leave.get("message").getAsString()).isEmpty();
      assertThat(leave.get("timestamp")).isEqualTo(leave.get("serverTimestamp"));
      assertNothingElseComes(server, watcher);
    }
  }

  /**
   * The watcher is the only user of its server, and the next frame it sees is the text that it
   * sends.
   */
  private static void assertNothingElseComes(TestServer server, ChatClient watcher)
      throws Exception {
    await().atMost(Duration.ofMinutes(2)).until(() -> server.stat("connections") == 1);
    watcher.send("TEXT", "marker");
    JsonObject next = watcher.nextJson();
    assertThat(next.has("message")).as("%s", next).isTrue();
    assertThat(next.get("message").getAsString()).as("%s", next).isEqualTo("marker");
  }

  @BrokerTest
  void membersOnTwoServersReceiveEveryMessageExactlyOnce(TestBroker broker) throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "one", sink);
        TestServer second = TestServer.start(broker.uri(), "two", sink)) {
      List<ChatClient> members = new ArrayList<>();
      for (int user = 1; user <= 6; user++) {
        TestServer server = user % 2 == 0 ? first : second;
        ChatClient member = ChatClient.joined(server.chat("5"), user);
        for (ChatClient earlier : members) {
          earlier.awaitType("JOIN", user);
        }
        members.add(member);
      }
      int each = 50;
      for (int i = 0; i < each; i++) {
        for (int user = 1; user <= members.size(); user++) {
          members.get(user - 1).send("TEXT", user + "-" + i);
        }
      }
      for (ChatClient member : members) {
        assertExactlyOnceInOrder(member, members.size(), each);
      }
      members.forEach(ChatClient::close);
    }
  }

  private static void assertExactlyOnceInOrder(ChatClient member, int users, int each) {
    int[] next = new int[users + 1];
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < users * each; i++) {
      String text = member.nextJson().get("message").getAsString();
      assertThat(seen.add(text)).as("second copy of %s", text).isTrue();
      int user = Integer.parseInt(text.substring(0, text.indexOf('-')));
      assertThat(text).isEqualTo(user + "-" + next[user]++);
    }
  }

  @BrokerTest
  void takeoverBetweenServersClosesExactlyTheOlder(TestBroker broker) throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "one", sink);
        TestServer second = TestServer.start(broker.uri(), "two", sink);
        ChatClient watcher = ChatClient.joined(first.chat("5"), 1);
        ChatClient older = ChatClient.joined(first.chat("5"), 2)) {
      watcher.awaitType("JOIN", 2);
      try (ChatClient newer = ChatClient.joined(second.chat("5"), 2)) {
        assertThat(older.awaitClosed().code()).isEqualTo(4009);
        watcher.awaitType("JOIN", 2);
        newer.send("TEXT", "mine now");
        assertThat(watcher.nextJson().get("message").getAsString()).isEqualTo("mine now");
        assertThat(newer.awaitType("TEXT", 2).get("message").getAsString()).isEqualTo("mine now");
        assertNothingElseComes(first, watcher);
        assertThat(newer.isClosed()).isFalse();
      }
    }
  }

  @BrokerTest
  void resendIsShownOnceAndAnsweredOnlyToItsSender(TestBroker broker) throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "one", sink);
        TestServer second = TestServer.start(broker.uri(), "two", sink);
        ChatClient watcher = ChatClient.joined(second.chat("5"), 1);
        ChatClient sender = ChatClient.joined(first.chat("5"), 2)) {
      watcher.awaitType("JOIN", 2);
      String message = sender.frame("TEXT", "once").replace("}", ",\"messageId\":\"r-1\"}");
      sender.sendRaw(message);
      assertThat(sender.nextJson().has("duplicate")).isFalse();
      sender.sendRaw(message);
      JsonObject answer = sender.nextJson();
      assertThat(answer.get("duplicate").getAsBoolean()).isTrue();
      assertThat(answer.get("messageId").getAsString()).isEqualTo("r-1");
      sender.vanish();
      try (ChatClient again = ChatClient.joined(second.chat("5"), 2)) {
        again.sendRaw(message);
        assertThat(again.awaitType("TEXT", 2).get("duplicate").getAsBoolean()).isTrue();
        again.send("TEXT", "end");
      }
      int shown = 0;
      for (String frame = watcher.next();
          !frame.contains("\"message\":\"end\"");
          frame = watcher.next()) {
        shown += frame.contains("r-1") ? 1 : 0;
      }
      assertThat(shown).isEqualTo(1);
    }
  }
}
