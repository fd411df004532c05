package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests users who are in a room with several devices. */
class DevicesTest {

  private final Scene scene =
      new Scene(
          new RoomClient.Setting(
              "5", new Values.UserValue("17", "ann"), "phone", null, 0, 200, 3, 500),
          false);
  private final List<Message> messages = new ArrayList<>();

  private JsonObject enter(String... past) {
    scene.room.add((_, message) -> messages.add(message));
    scene.room.enter();
    JsonObject join = scene.acceptJoin(past);
    scene.takeEvents();
    return join;
  }

  private static String members(int count, String... members) {
    return "{\"messageType\":\"MEMBERS\",\"count\":%d,\"complete\":true,\"members\":[%s]}"
        .formatted(count, String.join(",", members));
  }

  private static String member(String user, String devices) {
    return "{\"userId\":\"%s\",\"username\":\"user%s\"%s}".formatted(user, user, devices);
  }

  private String on(String device, String frame) {
    return device.isEmpty() ? frame : Scene.with(frame, "\"device\":\"" + device + "\"");
  }

  /** Sends events such as {@code JOIN 4 phone}. */
  private void joinsAndLeaves(String... events) {
    Stream.of(events)
        .map(event -> (event + " ").split(" ", 4))
        .forEach(event ->
            scene.line().serverSends(on(event[2], scene.broadcast(event[0], event[1], "", "e"))));
  }

  @Test
  void joinNamesTheDeviceAndNoOtherFrameDoes() {
    JsonObject join = enter();
    assertThat(Frames.device(join)).isEqualTo("phone");
    var _ = scene.room.send("a");
    assertThat(scene.line().next().has("device")).isFalse();
    assertThat(Scene.joined().room.id()).isEqualTo("5");
    assertThat(new Scene().enter().has("device")).isFalse();
  }

  @Test
  void invalidNameIsRejectedAtTheCall() {
    ChatFlow.Builder builder = ChatFlow.to(URI.create("http://localhost/"));
    for (String device : List.of("", "two words", "x".repeat(33), "phone\n")) {
      assertThatIllegalArgumentException().isThrownBy(() -> builder.device(device));
    }
  }

  @Test
  void messagesExposeTheirDeviceAndThoseOfOtherDevicesOfThisUserAreOwn() {
    enter();
    var sent = scene.room.send("a");
    scene.line().serverSends(on("tablet", scene.broadcast("TEXT", "17", "a", "x")));
    scene.line().serverSends(scene.text("b"));
    scene
        .line()
        .serverSends(
            on(
                "tablet",
                Scene.with(scene.broadcast("SIGNAL", "17", "", "s"), "\"kind\":\"typing\"")));
    assertThat(messages).extracting(Message::device).containsExactly("tablet", "");
    assertThat(messages).extracting(Message::own).containsExactly(true, false);
    assertThat(scene.signals).extracting(Signal::device).containsExactly("tablet");
    assertThat(sent).isNotDone();
  }

  @Test
  void userComesWithTheFirstDeviceAndGoesWithTheLast() {
    enter();
    joinsAndLeaves("JOIN 4 a", "JOIN 4 b", "JOIN 4", "JOIN 4 a", "LEAVE 4 a", "LEAVE 4");
    assertThat(scene.takeEvents()).containsExactly("+4 2");
    joinsAndLeaves("LEAVE 4 b", "LEAVE 4 b");
    assertThat(scene.takeEvents()).containsExactly("-4 1");
    assertThat(scene.room.people().names()).containsOnlyKeys("17");
  }

  @Test
  void listOfTheServerNamesDevices() {
    String ann = member("17", ",\"devices\":[\"phone\",\"tablet\"]");
    enter(members(3, ann, member("4", ",\"devices\":[\"a\",\"b\"]"), member("5", "")));
    joinsAndLeaves("LEAVE 4 a", "LEAVE 5", "LEAVE 4 b", "LEAVE 17 tablet", "JOIN 17 other");
    assertThat(scene.takeEvents()).containsExactly("-5 2", "-4 1");
    scene.line().serverSends(members(2, ann, member("4", ",\"devices\":[\"c\"]")));
    joinsAndLeaves("LEAVE 4 c");
    assertThat(scene.takeEvents()).containsExactly("+4 2", "-4 1");
  }

  @Test
  void dataOfTheNewestJoinIsThatOfTheMember() {
    Scene ann =
        new Scene(
            new RoomClient.Setting(
                "5", new Values.UserValue("17", "ann"), "phone", "{\"a\":1}", 0, 200, 3, 500),
            false);
    ann.room.enter();
    String list = members(2, member("17", ",\"data\":{\"a\":1}"), member("4", ",\"data\":{}"));
    JsonObject join = ann.acceptJoin(list);
    assertThat(join.get("data").toString()).isEqualTo("{\"a\":1}");
    assertThat(ann.room.people().names()).hasEntrySatisfying("4", four -> hasData(four, "{}"));
    ann.line().serverSends(list);
    ann.takeEvents();
    ann.line().serverSends(Scene.with(ann.broadcast("JOIN", "4", "", "x"), "\"data\":{\"b\":2}"));
    assertThat(ann.takeEvents()).containsExactly("people 2");
    assertThat(ann.room.people().names())
        .hasEntrySatisfying("4", four -> hasData(four, "{\"b\":2}"))
        .hasEntrySatisfying("17", own -> hasData(own, "{\"a\":1}"))
        .hasEntrySatisfying("17", own -> assertThat(own.name()).isEqualTo("ann"));
  }

  private static void hasData(Member member, String data) {
    assertThat(member.data()).isEqualTo(data);
  }

  @Test
  void invalidDataIsRejectedAtTheCall() {
    ChatFlow.Builder builder = ChatFlow.to(URI.create("http://localhost/"));
    for (String data : List.of("", "[]", "{\"a\":\"%s\"}".formatted("x".repeat(2_048)))) {
      assertThatIllegalArgumentException().isThrownBy(() -> builder.data(data));
    }
  }

  @Test
  void departureOfADeviceOfAnUnnamedUserPutsTheCountInDoubt() {
    enter(members(500, member("10", "")));
    joinsAndLeaves("LEAVE 99 a");
    scene.members.put("?limit=1", "{\"count\":500}");
    scene.loop.pass(10_000);
    assertThat(scene.takeEvents()).containsExactly("-99 499", "people 500");
  }
}
