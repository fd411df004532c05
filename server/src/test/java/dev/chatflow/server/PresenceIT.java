package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** Two servers on one broker: each knows the members on both. */
class PresenceIT {

  private static ChatClient joining(TestServer server, String room, int user, String asked) {
    ChatClient client = ChatClient.connect(server.chat(room), user);
    String join = client.frame("JOIN", "");
    client.sendRaw(join.substring(0, join.length() - 1) + asked + "}");
    return client;
  }

  private static List<String> ids(JsonObject list) {
    return list.getAsJsonArray("members").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(member -> member.get("userId").getAsString())
        .toList();
  }

  private static JsonObject get(TestServer server, String path) throws Exception {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private static String type(JsonObject frame) {
    return frame.get("messageType").getAsString();
  }

  @BrokerTest
  void requestedListIncludesTheOtherServerAndComesFirst(TestBroker broker) throws Exception {
    String room = "people-1";
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient ann = ChatClient.joined(one.chat(room), 17)) {
      ann.send("TEXT", "said before");
      ann.awaitType("TEXT", 17);
      get(two, "/api/rooms/" + room); // attaches the shard, and waits until presence is complete
      try (ChatClient ben = joining(two, room, 18, ",\"members\":10,\"history\":1")) {
        JsonObject members = ben.nextJson();
        assertThat(type(members)).isEqualTo("MEMBERS");
        assertThat(ids(members)).containsExactly("17", "18");
        assertThat(members.get("count").getAsInt()).isEqualTo(2);
        assertThat(members.get("complete").getAsBoolean()).isTrue();
        assertThat(type(ben.nextJson())).as("the past").isEqualTo("TEXT");
        assertThat(type(ben.nextJson())).as("its own").isEqualTo("JOIN");
        ann.awaitType("JOIN", 18);
        for (TestServer server : List.of(one, two)) {
          JsonObject list = get(server, "/api/rooms/" + room);
          assertThat(ids(list)).containsExactly("17", "18");
          assertThat(list.get("complete").getAsBoolean()).isTrue();
          assertThat(get(server, "/api/rooms").toString())
              .contains("{\"roomId\":\"" + room + "\",\"members\":2}");
        }
      }
    }
  }

  @BrokerTest
  void dataOfAJoinIsInTheListsOfAllServers(TestBroker broker) throws Exception {
    String room = "people-5";
    String away = "{\"away\":true}";
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient ann = joining(one, room, 17, ",\"data\":{\"away\":false}")) {
      assertThat(ann.awaitType("JOIN", 17).get("data").toString()).isEqualTo("{\"away\":false}");
      try (ChatClient _ = joining(one, room, 17, ",\"device\":\"phone\",\"data\":" + away);
          TestServer two = TestServer.start(broker.uri(), "two")) {
        ann.awaitType("JOIN", 17);
        assertThat(get(two, "/api/rooms/" + room).toString())
            .as("of the newest device, from a snapshot")
            .contains("\"complete\":true", "\"data\":" + away);
        try (ChatClient ben = joining(two, room, 18, ",\"members\":10")) {
          assertThat(ben.nextJson().get("members").toString())
              .contains("\"devices\":[\"\",\"phone\"],\"data\":" + away + "},{\"userId\":\"18\"");
        }
      }
    }
  }

  @BrokerTest
  void listComesInParts(TestBroker broker) throws Exception {
    String room = "people-2";
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient _ = ChatClient.joined(one.chat(room), 9);
        ChatClient _ = ChatClient.joined(one.chat(room), 10);
        ChatClient _ = ChatClient.joined(one.chat(room), 11)) {
      JsonObject first = get(one, "/api/rooms/" + room + "?limit=2");
      assertThat(ids(first)).as("by id as text").containsExactly("10", "11");
      assertThat(first.get("count").getAsInt()).isEqualTo(3);
      String next = first.get("next").getAsString();
      JsonObject last = get(one, "/api/rooms/" + room + "?limit=2&after=" + next);
      assertThat(ids(last)).containsExactly("9");
      assertThat(last.has("next")).isFalse();
      assertThat(one.get("/api/rooms/" + room + "?limit=0").body()).contains("BAD_QUERY");
    }
  }

  @BrokerTest
  void membersOfADrainedServerHaveLeftAndNoServerWaitsForIt(TestBroker broker) throws Exception {
    String room = "people-3";
    try (TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient ben = ChatClient.joined(two.chat(room), 18)) {
      try (TestServer one = TestServer.start(broker.uri(), "one");
          ChatClient _ = ChatClient.joined(one.chat(room), 17)) {
        ben.awaitType("JOIN", 17);
      }
      ben.awaitType("LEAVE", 17);
      try (TestServer three = TestServer.start(broker.uri(), "three")) {
        JsonObject list = get(three, "/api/rooms/" + room);
        assertThat(ids(list)).containsExactly("18");
        assertThat(list.get("complete").getAsBoolean()).as("at once").isTrue();
      }
    }
  }

  @BrokerTest
  void largeRoomReportsOnlyTheCount(TestBroker broker) throws Exception {
    String room = "people-4";
    Map<String, String> quiet = Map.of("CHATFLOW_QUIET_ROOM", "2");
    try (TestServer one = TestServer.start(broker.uri(), "one", quiet);
        TestServer two = TestServer.start(broker.uri(), "two", quiet);
        ChatClient ann = joining(one, room, 17, ",\"members\":10")) {
      ann.awaitType("JOIN", 17);
      ChatClient ben = joining(two, room, 18, "");
      ann.awaitType("JOIN", 18);
      ben.awaitType("JOIN", 18);
      try (ChatClient cid = joining(two, room, 19, ",\"members\":10")) {
        JsonObject members = cid.nextJson();
        assertThat(members.get("count").getAsInt()).isEqualTo(3);
        assertThat(ids(members)).isEmpty();
        JsonObject own = cid.nextJson();
        assertThat(type(own)).isEqualTo("JOIN");
        assertThat(own.get("quiet").getAsBoolean()).isTrue();
        awaitCount(ann, 3);
      }
      awaitCount(ann, 2);
      ben.send("TEXT", "here");
      assertThat(type(ben.nextJson())).as("nothing of user 19 before it").isEqualTo("TEXT");
      ben.close();
    }
  }

  private static void awaitCount(ChatClient client, int count) {
    JsonObject frame = client.nextJson();
    while (!type(frame).equals("MEMBERS") || frame.get("count").getAsInt() != count) {
      assertThat(frame.toString()).as("never told who").doesNotContain("\"19\"");
      frame = client.nextJson();
    }
  }
}
