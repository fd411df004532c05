package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.chat.link.Frames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The members of the room, as far as known. */
class CrowdTest {

  /** Returns the server's list of members. */
  private static String members(int count, boolean complete, int... users) {
    String names =
        Arrays.stream(users)
            .mapToObj(user -> "{\"userId\":\"%d\",\"username\":\"user%d\"}".formatted(user, user))
            .collect(Collectors.joining(","));
    return "{\"messageType\":\"MEMBERS\",\"roomId\":\"5\",\"count\":%d,\"complete\":%b,\"members\":[%s],\"status\":200}"
        .formatted(count, complete, names);
  }

  private static Scene inTheRoom(String... before) {
    Scene scene =
        new Scene(new RoomClient.Setting("5", new User("17", "ann"), 0, 200, 3, 500), false);
    scene.room.enter();
    scene.letIn(before);
    return scene;
  }

  private static List<String> heardOfPeople(Scene scene) {
    return scene.takeHeard().stream().filter(line -> line.matches("[+-].*|people.*")).toList();
  }

  private static void comesAndGoes(Scene scene, String... frames) {
    Stream.of(frames)
        .map(frame -> frame.split(" ", 2))
        .forEach(frame -> scene.line().says(scene.broadcast(frame[0], frame[1], "", "l")));
  }

  @Test
  void serverSendsAListAndLaterArrivalsAndDeparturesAreReported() {
    Scene scene = inTheRoom(members(3, true, 17, 4, 5));
    assertThat(heardOfPeople(scene)).containsExactlyInAnyOrder("+17 3", "+4 3", "+5 3");
    comesAndGoes(scene, "JOIN 6", "JOIN 6", "LEAVE 4", "LEAVE 4");
    assertThat(heardOfPeople(scene)).containsExactly("+6 4", "-4 3");
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "5", "6");
    assertThat(scene.room.people().complete()).isTrue();
  }

  @Test
  void newListReplacesThePreviousList() {
    Scene scene = inTheRoom(members(2, false, 17, 4));
    assertThat(scene.room.people().complete()).isFalse();
    scene.line().says(members(3, true, 17, 5, 6));
    assertThat(scene.room.people().complete()).isTrue();
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "5", "6");
  }

  @Test
  void listHoldsAsOfTheOwnJoin() {
    Scene scene = inTheRoom();
    assertThat(scene.room.people().names()).containsOnlyKeys("17");
    String last = scene.text("before");
    scene.line().says(last);
    scene.line().ends(1001, "reconnect after 0 ms");
    scene.loop.pass(0);
    scene.takeHeard();
    scene.letIn(members(3, true, 17, 5, 6), last, scene.broadcast("JOIN", "5", "", "j"));
    assertThat(heardOfPeople(scene)).containsExactly("+5 2", "+6 3");
  }

  /** A program was notified that it had left and joined, whenever its connection was lost. */
  @Test
  void ownLeaveAndJoinAfterAResumeAreNoChange() {
    Scene scene = inTheRoom(members(2, true, 17, 4));
    String last = scene.text("before");
    scene.line().says(last);
    scene.line().ends(1001, "reconnect after 0 ms");
    scene.loop.pass(0);
    scene.takeHeard();
    scene.letIn(members(2, true, 17, 4), last, scene.broadcast("LEAVE", "17", "", "l"));
    assertThat(heardOfPeople(scene)).containsExactly("people 2");
    scene.line().says(scene.broadcast("LEAVE", "17", "", "of an earlier membership"));
    assertThat(heardOfPeople(scene)).isEmpty();
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "4");
  }

  @Test
  void ofAListThatIsCutAllAreCounted() {
    Scene scene = inTheRoom(members(500, true, 10, 11));
    assertThat(scene.room.people().count()).isEqualTo(500);
    assertThat(scene.room.people().names()).containsOnlyKeys("10", "11", "17");
    scene.takeHeard();
    comesAndGoes(scene, "LEAVE 99", "LEAVE 101", "LEAVE 11", "JOIN 105");
    assertThat(heardOfPeople(scene)).containsExactly("-99 499", "-11 498", "+105 499");
    scene.loop.pass(15_000);
    assertThat(heardOfPeople(scene)).isEmpty();
  }

  @Test
  void possiblyCountedUserCountsUntilTheServerIsQueried() {
    Scene scene = inTheRoom(members(500, true, 10, 11));
    comesAndGoes(scene, "JOIN 98", "JOIN 99");
    assertThat(scene.room.people().count()).isEqualTo(502);
    scene.loop.pass(15_000); // no answer
    assertThat(scene.room.people().count()).isEqualTo(502);
    scene.takeHeard();
    scene.count = 502;
    comesAndGoes(scene, "JOIN 97");
    scene.loop.pass(4_999);
    assertThat(heardOfPeople(scene)).containsExactly("+97 503");
    scene.loop.pass(5_001);
    assertThat(heardOfPeople(scene)).containsExactly("people 502");
  }

  @Test
  void inARoomTooLargeForNamesOnlyTheCountChanges() {
    Scene scene = inTheRoom(members(999, true, 4));
    scene.takeHeard();
    scene.line().says(members(1_250, true));
    assertThat(heardOfPeople(scene)).containsExactly("people 1250");
    assertThat(scene.room.people().names()).containsOnlyKeys("17");
  }

  /** In a room of that size no other member sees a JOIN or LEAVE. */
  @Test
  void ownJoinAndLeaveThatAreQuietAreHeeded() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    String last = scene.text("last");
    scene.line().says(members(1_250, true));
    scene.line().says(last);
    scene.line().says(Scene.with(scene.shown(scene.line().next()), "\"quiet\":true"));
    assertThat(scene.room.state()).isInstanceOf(State.Here.class);
    scene.line().ends(1001, "reconnect after 0 ms");
    scene.loop.pass(0);
    scene.line().opens();
    assertThat(Frames.text(scene.line().next().getAsJsonObject("after"), "messageId"))
        .isEqualTo("c-last");
    var left = scene.room.leave();
    assertThat(left).isCompleted();
  }
}
