package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.catalina.LifecycleException;

/** A message sent again with the same id is shown once, in any way it is sent, on two servers. */
class ResendIT {

  private static final String KEY = "Idempotency-Key";
  private static final int SENDER = 7;

  /** A separate room for each test: a log remembers ids, also for servers that start later. */
  private final String room = "r" + System.nanoTime();

  /** Two servers with a watcher each. */
  private record Stage(TestServer first, TestServer second, List<ChatClient> watchers)
      implements AutoCloseable {

    static Stage of(TestBroker broker, String room) throws Exception {
      TestServer first = TestServer.start(broker.uri(), "one");
      TestServer second = TestServer.start(broker.uri(), "two");
      return new Stage(
          first,
          second,
          List.of(
              ChatClient.joined(first.chat(room), 101), ChatClient.joined(second.chat(room), 102)));
    }

    /**
     * Checks the ids of the sender's messages shown to each watcher, up to the message {@code
     * last}.
     */
    void assertAllShown(List<String> ids, String last) {
      for (ChatClient watcher : watchers) {
        List<String> shown = new ArrayList<>();
        String id = "";
        while (!id.equals(last)) {
          JsonObject frame = watcher.awaitType("TEXT", SENDER);
          assertThat(frame.has("duplicate")).isFalse();
          id = frame.get("messageId").getAsString();
          shown.add(id);
        }
        assertThat(shown).containsExactlyElementsOf(ids);
      }
    }

    @Override
    public void close() throws LifecycleException, IOException {
      watchers.forEach(ChatClient::close);
      second.close();
      first.close();
    }
  }

  private static String text(String id) {
    return PublishIT.text(SENDER, "as " + id)
        .replace("\"timestamp\"", "\"messageId\":\"" + id + "\",\"timestamp\"");
  }

  private static void assertDuplicate(JsonObject frame, String id, String server) {
    assertThat(new ArrayList<>(frame.keySet()).getLast()).isEqualTo("duplicate");
    assertThat(frame.get("duplicate").getAsBoolean()).isTrue();
    assertThat(frame.get("messageId").getAsString()).isEqualTo(id);
    assertThat(frame.get("message").getAsString()).isEqualTo("as " + id);
    assertThat(frame.get("serverId").getAsString()).isEqualTo(server);
    assertThat(frame.get("status").getAsInt()).isEqualTo(200);
  }

  private static void assertCreated(HttpResponse<String> response, String id) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    assertThat(response.body()).contains("\"messageId\":\"" + id + "\"");
  }

  @BrokerTest
  void overANewConnectionToTheSameAndToTheOtherServer(TestBroker broker) throws Exception {
    try (Stage stage = Stage.of(broker, room)) {
      ChatClient lost = ChatClient.joined(stage.first().chat(room), SENDER);
      lost.sendRaw(text("m-1"));
      lost.awaitType("TEXT", SENDER);
      lost.vanish();
      for (TestServer server : List.of(stage.first(), stage.second())) {
        try (ChatClient back = ChatClient.joined(server.chat(room), SENDER)) {
          back.sendRaw(text("m-1"));
          String name = server == stage.first() ? "one" : "two";
          assertDuplicate(back.awaitType("TEXT", SENDER), "m-1", name);
          back.sendRaw(text("after-" + name));
          assertThat(back.awaitType("TEXT", SENDER).has("duplicate")).isFalse();
        }
      }
      stage.assertAllShown(List.of("m-1", "after-one", "after-two"), "after-two");
    }
  }

  @BrokerTest
  void afterAJoinThatTimedOut(TestBroker broker) throws Exception {
    try (Stage stage = Stage.of(broker, room)) {
      ChatClient lost = ChatClient.joined(stage.first().chat(room), SENDER);
      lost.sendRaw(text("m-1"));
      lost.awaitType("TEXT", SENDER);
      lost.vanish();
      try (ChatClient back = ChatClient.connect(stage.first().chat(room), SENDER)) {
        back.send("JOIN", "");
        back.sendRaw(text("m-1"));
        JsonObject first = back.nextJson();
        assertThat(first.get("messageType").getAsString()).isEqualTo("JOIN");
        assertThat(first.get("userId").getAsString()).isEqualTo(String.valueOf(SENDER));
        assertDuplicate(back.awaitType("TEXT", SENDER), "m-1", "one");
      }
    }
  }

  @BrokerTest
  void overHttpUnderTheSameKeyOnBothServers(TestBroker broker) throws Exception {
    try (Stage stage = Stage.of(broker, room)) {
      String nameless = PublishIT.text(SENDER, "as k-1");
      for (TestServer server : List.of(stage.first(), stage.first(), stage.second())) {
        assertCreated(server.post(room, nameless, KEY, "k-1"), "k-1");
        assertCreated(server.post(room, text("k-1")), "k-1");
      }
      assertCreated(stage.second().post(room, text("last")), "last");
      stage.assertAllShown(List.of("k-1", "last"), "last");
    }
  }

  @BrokerTest
  void firstOverHttpThenOverWebSocketAndTheOtherWayRound(TestBroker broker) throws Exception {
    try (Stage stage = Stage.of(broker, room);
        ChatClient sender = ChatClient.joined(stage.second().chat(room), SENDER)) {
      assertCreated(stage.first().post(room, text("h-1")), "h-1");
      assertThat(sender.awaitType("TEXT", SENDER).has("duplicate")).isFalse();
      sender.sendRaw(text("h-1"));
      assertDuplicate(sender.awaitType("TEXT", SENDER), "h-1", "two");
      sender.sendRaw(text("w-1"));
      assertThat(sender.awaitType("TEXT", SENDER).has("duplicate")).isFalse();
      assertCreated(stage.first().post(room, text("w-1")), "w-1");
      assertCreated(stage.second().post(room, text("w-1")), "w-1");
      assertCreated(stage.first().post(room, text("last")), "last");
      assertThat(sender.awaitType("TEXT", SENDER).get("messageId").getAsString())
          .as("the repeat over HTTP is answered over HTTP only")
          .isEqualTo("last");
      stage.assertAllShown(List.of("h-1", "w-1", "last"), "last");
    }
  }

  /** Ids can be guessed: otherwise another user could suppress a member's next message. */
  @BrokerTest
  void anotherTextPostedUnderTheNextIdOfAMemberDoesNotSuppressIt(TestBroker broker)
      throws Exception {
    try (Stage stage = Stage.of(broker, room);
        ChatClient member = ChatClient.joined(stage.first().chat(room), SENDER)) {
      String forged = text("n-1").replace("as n-1", "forged");
      assertCreated(stage.first().post(room, forged), "n-1");
      member.awaitType("TEXT", SENDER);
      member.sendRaw(text("n-1"));
      JsonObject own = member.awaitType("TEXT", SENDER);
      assertThat(own.get("message").getAsString()).isEqualTo("as n-1");
      assertThat(own.has("duplicate")).isFalse();
    }
  }

  @BrokerTest
  void overHttpToAServerThatDoesNotServeTheRoomYet(TestBroker broker) throws Exception {
    try (TestServer serves = TestServer.start(broker.uri(), "one");
        TestServer other = TestServer.start(broker.uri(), "two");
        ChatClient watcher = ChatClient.joined(serves.chat(room), 101)) {
      assertCreated(serves.post(room, text("m-1")), "m-1");
      assertCreated(other.post(room, text("m-1")), "m-1");
      assertCreated(other.post(room, text("last")), "last");
      assertThat(watcher.awaitType("TEXT", SENDER).get("messageId").getAsString()).isEqualTo("m-1");
      assertThat(watcher.awaitType("TEXT", SENDER).get("messageId").getAsString())
          .isEqualTo("last");
    }
  }

  @BrokerTest
  void afterTheLastMemberLeft(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      try (ChatClient sender = ChatClient.joined(server.chat(room), SENDER)) {
        sender.sendRaw(text("m-1"));
        sender.send("LEAVE", "");
        sender.awaitType("LEAVE", SENDER);
      }
      try (ChatClient back = ChatClient.joined(server.chat(room), SENDER)) {
        back.sendRaw(text("m-1"));
        assertDuplicate(back.awaitType("TEXT", SENDER), "m-1", "one");
      }
    }
  }

  @BrokerTest
  void atOnceByAllWays(TestBroker broker) throws Exception {
    int keys = 100;
    try (Stage stage = Stage.of(broker, room);
        ChatClient sender = ChatClient.joined(stage.second().chat(room), SENDER);
        ExecutorService ways = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> all = new ArrayList<>();
      for (int key = 0; key < keys; key++) {
        String message = text("k-" + key);
        for (TestServer server : List.of(stage.first(), stage.second(), stage.first())) {
          all.add(() -> server.post(room, message).statusCode());
        }
      }
      var posts = all.stream().map(ways::submit).toList();
      for (int key = 0; key < keys; key++) {
        sender.sendRaw(text("k-" + key));
      }
      for (var post : posts) {
        assertThat(post.get()).isEqualTo(201);
      }
      sender.sendRaw(text("last"));
      for (ChatClient watcher : stage.watchers()) {
        List<String> shown = new ArrayList<>();
        while (!shown.contains("last")) {
          shown.add(watcher.awaitType("TEXT", SENDER).get("messageId").getAsString());
        }
        assertThat(shown).doesNotHaveDuplicates().hasSize(keys + 1);
      }
    }
  }
}
