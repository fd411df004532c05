package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.Headers;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Reconnecting, joining late, and requesting: the earlier messages that a room shows. */
class PastIT {

  private static void say(ChatClient client, int user, String... texts) {
    for (String text : texts) {
      client.send("TEXT", text);
      assertThat(client.awaitType("TEXT", user).get("message").getAsString()).isEqualTo(text);
    }
  }

  /** Returns the frames before its JOIN: texts, JOINs and LEAVEs. */
  private static List<String> before(ChatClient client, int user) {
    List<String> shown = new ArrayList<>();
    while (true) {
      JsonObject frame = client.nextJson();
      String type = frame.get("messageType").getAsString();
      String from = frame.get("userId").getAsString();
      if (type.equals("JOIN") && from.equals(Integer.toString(user))) {
        return shown;
      }
      shown.add(type.equals("TEXT") ? frame.get("message").getAsString() : type + " " + from);
    }
  }

  @BrokerTest
  void cutClientGetsMissedMessagesOnAnyServer(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient other = ChatClient.joined(one.chat("resume-1"), 1)) {
      ChatClient cut = ChatClient.joined(one.chat("resume-1"), 2);
      other.awaitType("JOIN", 2);
      say(other, 1, "seen");
      String last = cut.next();
      cut.vanish();
      other.awaitType("LEAVE", 2);
      say(other, 1, "a", "b", "c");
      for (TestServer server : List.of(two, one)) {
        try (ChatClient back = ChatClient.connect(server.chat("resume-1"), 3)) {
          back.join("\"after\":" + last);
          assertThat(back.next()).as("the frame it named, to the byte").isEqualTo(last);
          assertThat(before(back, 3)).startsWith("LEAVE 2", "a", "b", "c");
        }
      }
    }
  }

  @BrokerTest
  void newcomerSeesTheLastOfTheRoom(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient other = ChatClient.joined(one.chat("history-1"), 1)) {
      say(other, 1, "a", "b", "c");
      try (ChatClient late = ChatClient.connect(one.chat("history-1"), 2)) {
        late.join("\"history\":2");
        assertThat(before(late, 2)).containsExactly("b", "c");
      }
      other.awaitType("LEAVE", 2);
      try (ChatClient unasked = ChatClient.connect(one.chat("history-1"), 3)) {
        unasked.send("JOIN", "");
        assertThat(before(unasked, 3)).isEmpty();
      }
    }
  }

  @BrokerTest
  void frameThatIsNotToBeHadBringsTheHistory(TestBroker broker) throws Exception {
    String unknown =
        "{\"messageType\":\"TEXT\",\"userId\":\"1\",\"messageId\":\"never\",\"serverTimestamp\":\"2026-11-20T18:46:00.123Z\"}";
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient other = ChatClient.joined(one.chat("history-2"), 1);
        ChatClient back = ChatClient.connect(one.chat("history-2"), 2)) {
      say(other, 1, "a", "b");
      back.join("\"history\":1,\"after\":" + unknown);
      assertThat(before(back, 2)).containsExactly("b");
    }
  }

  /** The broker keeps the log, and a new server reads it back. */
  @BrokerTest
  void historyOutlivesTheRestartOfAllServers(TestBroker broker) throws Exception {
    String last;
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient other = ChatClient.joined(one.chat("history-3"), 1)) {
      say(other, 1, "a", "b");
      other.send("TEXT", "c");
      last = other.next();
    }
    try (TestServer anew = TestServer.start(broker.uri(), "two");
        ChatClient back = ChatClient.connect(anew.chat("history-3"), 1);
        ChatClient late = ChatClient.connect(anew.chat("history-3"), 2)) {
      back.join("\"after\":" + last);
      assertThat(back.next()).isEqualTo(last);
      assertThat(before(back, 1)).containsExactly("LEAVE 1");
      late.join("\"history\":100");
      assertThat(before(late, 2)).containsExactly("JOIN 1", "a", "b", "c", "LEAVE 1", "JOIN 1");
    }
  }

  @BrokerTest
  void serverMayKeepNothing(TestBroker broker) throws Exception {
    Map<String, String> none =
        Map.of("CHATFLOW_ROOM_TAIL_BYTES", "0", "CHATFLOW_METRICS_PUBLIC", "true");
    try (TestServer one = TestServer.start(broker.uri(), "one", none);
        ChatClient other = ChatClient.joined(one.chat("history-4"), 1);
        ChatClient late = ChatClient.connect(one.chat("history-4"), 2)) {
      say(other, 1, "a", "b");
      late.join("\"history\":100");
      assertThat(before(late, 2)).isEmpty();
    }
  }

  @BrokerTest
  void newestMessagesAreReadOverHttpPageByPage(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient other = ChatClient.joined(one.chat("history-5"), 1)) {
      String[] texts = IntStream.range(0, 7).mapToObj(i -> "text " + i).toArray(String[]::new);
      say(other, 1, texts);
      JsonArray newest = messages(one, "history-5", "?last=3");
      assertThat(texts(newest)).containsExactly("text 4", "text 5", "text 6");
      String position = URLEncoder.encode(newest.get(0).toString(), StandardCharsets.UTF_8);
      assertThat(texts(messages(one, "history-5", "?last=3&before=" + position)))
          .containsExactly("text 1", "text 2", "text 3");
      assertThat(messages(one, "history-5", "")).hasSize(8);
      assertThat(one.get("/api/rooms/history-5/messages?last=0").statusCode()).isEqualTo(400);
      String unknown = position.replace("history-5", "history-9").replaceFirst("TEXT", "LEAVE");
      assertThat(one.get("/api/rooms/history-5/messages?before=" + unknown).statusCode())
          .isEqualTo(404);
    }
  }

  /** An unused server reads its shard for the request. */
  @BrokerTest
  void unusedServerIsCheckedToo(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient other = ChatClient.joined(one.chat("history-6"), 1)) {
      say(other, 1, "only one");
      assertThat(texts(messages(two, "history-6", "?last=1"))).containsExactly("only one");
    }
  }

  /** For servers that start; {@code AmqpReadingIT} reads them. */
  @BrokerTest
  void everySoManyEntriesAreCopiedIntoABlock(TestBroker broker) throws Exception {
    if (!broker.knowsQueueArguments()) {
      return; // the embedded broker's logs have no offsets
    }
    RoomId room = new RoomId("history-7");
    try (TestServer one = TestServer.start(broker.uri(), "one");
        Connection connection = broker.connect();
        Channel channel = connection.createChannel();
        ChatClient other = ChatClient.joined(one.chat(room.value()), 1)) {
      channel.queueDeclare("block.witness", false, false, true, null);
      Topology.bind(channel, "block.witness", Shard.of(room, Shard.DEFAULT_COUNT));
      for (int text = 0; text < 300; text++) {
        say(other, 1, "text " + text);
      }
      Awaitility.await().until(() -> hasBlock(channel));
    }
  }

  private static boolean hasBlock(Channel channel) throws IOException {
    GetResponse entry = channel.basicGet("block.witness", true);
    while (entry != null) {
      Object kind = entry.getProps().getHeaders().get(Headers.KIND);
      if (String.valueOf(kind).equals(Headers.KIND_BLOCK)) {
        return true;
      }
      entry = channel.basicGet("block.witness", true);
    }
    return false;
  }

  private static JsonArray messages(TestServer server, String room, String query) throws Exception {
    String path = "/api/rooms/" + room + "/messages" + query;
    HttpResponse<String> answer = server.get(path);
    for (int tried = 0; answer.statusCode() == 503 && tried < 60; tried++) {
      TimeUnit.SECONDS.sleep(1); // its Retry-After: the log is still read back
      answer = server.get(path);
    }
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
    assertThat(body.get("roomId").getAsString()).isEqualTo(room);
    return body.getAsJsonArray("messages");
  }

  private static List<String> texts(JsonArray messages) {
    return messages.asList().stream()
        .map(each -> each.getAsJsonObject().get("message").getAsString())
        .toList();
  }
}
