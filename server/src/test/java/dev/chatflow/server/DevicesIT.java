package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import java.net.URI;

/** A user with several devices in one room, on several servers. */
class DevicesIT {

  private static ChatClient joined(URI room, int user, String device) {
    ChatClient client = ChatClient.connect(room, user);
    client.join(fields(device));
    client.awaitType("JOIN", user);
    return client;
  }

  private static String fields(String device) {
    return "\"members\":10,\"device\":\"" + device + "\"";
  }

  @BrokerTest
  void bothDevicesAreMembersAndANewerConnectionReplacesOnlyItsOwnDevice(TestBroker broker)
      throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient phone = joined(one.chat("devices-1"), 1, "phone");
        ChatClient laptop = joined(two.chat("devices-1"), 1, "laptop")) {
      assertThat(phone.awaitType("JOIN", 1).get("device").getAsString()).isEqualTo("laptop");
      laptop.send("TEXT", "from the laptop");
      JsonObject text = phone.awaitType("TEXT", 1);
      assertThat(text.get("message").getAsString()).isEqualTo("from the laptop");
      assertThat(text.get("device").getAsString()).isEqualTo("laptop");

      try (ChatClient newPhone = ChatClient.connect(two.chat("devices-1"), 1)) {
        newPhone.join(fields("phone"));
        JsonObject members = newPhone.nextJson();
        assertThat(members.get("count").getAsInt()).isEqualTo(1);
        assertThat(members.get("members").toString())
            .isEqualTo(
                "[{\"userId\":\"1\",\"username\":\"user1\",\"devices\":[\"laptop\",\"phone\"]}]");
        assertThat(phone.awaitClosed().code()).isEqualTo(4009);
        assertThat(laptop.isClosed()).isFalse();
        assertThat(one.get("/api/rooms/devices-1").body())
            .contains("\"count\":1", "\"devices\":[\"laptop\",\"phone\"]");
      }
      try (ChatClient unnamed = ChatClient.joined(one.chat("devices-1"), 1)) {
        assertThat(one.get("/api/rooms/devices-1").body()).contains("\"devices\":[\"\",\"laptop\"");
        unnamed.send("LEAVE", "");
      }
      JsonObject leave = laptop.awaitType("LEAVE", 1);
      assertThat(leave.get("device").getAsString()).isEqualTo("phone");
      laptop.send("TEXT", "still here");
      laptop.awaitType("TEXT", 1);
    }
  }
}
