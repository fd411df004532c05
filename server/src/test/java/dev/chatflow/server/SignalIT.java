package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Signals: shown to the members of the moment on all servers, and to no later member. */
class SignalIT {

  private static void signal(ChatClient client, String kind) {
    String frame = client.frame("SIGNAL", "");
    client.sendRaw(frame.substring(0, frame.length() - 1) + ",\"kind\":\"" + kind + "\"}");
  }

  /** Reads frames; returns the type or error code of each, up to one of this type by this user. */
  private static List<String> typesUntil(String type, int user, ChatClient client) {
    List<String> types = new ArrayList<>();
    while (true) {
      JsonObject frame = client.nextJson();
      boolean isError = frame.has("errorCode");
      types.add(frame.get(isError ? "errorCode" : "messageType").getAsString());
      if (types.getLast().equals(type) && frame.get("userId").getAsString().equals("" + user)) {
        return types;
      }
    }
  }

  @BrokerTest
  void membersOfAllServersGetItInOrderAndLaterOnesDoNot(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient other = ChatClient.joined(two.chat("signal-1"), 2);
        ChatClient typist = ChatClient.joined(one.chat("signal-1"), 1)) {
      other.awaitType("JOIN", 1);
      signal(typist, "typing");
      typist.send("TEXT", "hello");
      for (ChatClient each : new ChatClient[] {other, typist}) {
        JsonObject signal = each.nextJson();
        assertThat(signal.get("messageType").getAsString()).isEqualTo("SIGNAL");
        assertThat(signal.get("kind").getAsString()).isEqualTo("typing");
        assertThat(each.nextJson().get("messageType").getAsString()).isEqualTo("TEXT");
      }
      try (ChatClient late = ChatClient.connect(two.chat("signal-1"), 3)) {
        late.join("\"history\":100");
        assertThat(typesUntil("JOIN", 3, late)).containsExactly("JOIN", "JOIN", "TEXT", "JOIN");
      }
      HttpResponse<String> past = one.get("/api/rooms/signal-1/messages");
      assertThat(past.body()).contains("hello").doesNotContain("SIGNAL");
    }
  }

  @BrokerTest
  void moreThanTenInASecondAreRejectedAndTextsAreNot(TestBroker broker) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        ChatClient client = ChatClient.joined(one.chat("signal-2"), 1)) {
      IntStream.range(0, 100).forEach(_ -> signal(client, "typing"));
      client.send("TEXT", "hello");
      List<String> types = typesUntil("TEXT", 1, client);
      assertThat(types).contains("SIGNAL", "RATE_LIMITED").endsWith("TEXT");
    }
  }
}
