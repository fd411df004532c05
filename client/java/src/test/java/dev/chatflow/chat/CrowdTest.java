package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.chat.link.Frames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the list and the number of a room's members. */
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

  private static Scene joined(String... before) {
    Scene scene =
        new Scene(
            new RoomClient.Setting(
                "5", new Values.UserValue("17", "ann"), "", null, 0, 200, 3, 500),
            false);
    scene.room.enter();
    scene.acceptJoin(before);
    return scene;
  }

  private static List<String> memberEvents(Scene scene) {
    return scene.takeEvents().stream().filter(line -> line.matches("[+-].*|people.*")).toList();
  }

  private static void joinsAndLeaves(Scene scene, String... frames) {
    Stream.of(frames)
        .map(frame -> frame.split(" ", 2))
        .forEach(frame -> scene.line().serverSends(scene.broadcast(frame[0], frame[1], "", "l")));
  }

  @Test
  void serverSendsAListAndLaterArrivalsAndDeparturesAreReported() {
    Scene scene = joined(members(3, true, 17, 4, 5));
    assertThat(memberEvents(scene)).containsExactlyInAnyOrder("+17 3", "+4 3", "+5 3");
    joinsAndLeaves(scene, "JOIN 6", "JOIN 6", "LEAVE 4", "LEAVE 4");
    assertThat(memberEvents(scene)).containsExactly("+6 4", "-4 3");
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "5", "6");
    assertThat(scene.room.people().complete()).isTrue();
  }

  @Test
  void newListReplacesThePreviousList() {
    Scene scene = joined(members(2, false, 17, 4));
    assertThat(scene.room.people().complete()).isFalse();
    scene.line().serverSends(members(3, true, 17, 5, 6));
    assertThat(scene.room.people().complete()).isTrue();
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "5", "6");
  }

  @Test
  void listAppliesFromTheJoinOfThisClient() {
    Scene scene = joined();
    assertThat(scene.room.people().names()).containsOnlyKeys("17");
    String last = scene.text("before");
    scene.line().serverSends(last);
    scene.line().ends(1001, "reconnect after 0 ms");
    scene.loop.pass(0);
    scene.takeEvents();
    scene.acceptJoin(members(3, true, 17, 5, 6), last, scene.broadcast("JOIN", "5", "", "j"));
    assertThat(memberEvents(scene)).containsExactly("+5 2", "+6 3");
  }

  /** The program used to be notified of its LEAVE and JOIN after each lost connection. */
  @Test
  void leaveAndJoinOfThisClientAfterAResumeAreNotReported() {
    Scene scene = joined(members(2, true, 17, 4));
    String last = scene.text("before");
    scene.line().serverSends(last);
    scene.line().ends(1001, "reconnect after 0 ms");
    scene.loop.pass(0);
    scene.takeEvents();
    scene.acceptJoin(members(2, true, 17, 4), last, scene.broadcast("LEAVE", "17", "", "l"));
    assertThat(memberEvents(scene)).containsExactly("people 2");
    scene.line().serverSends(scene.broadcast("LEAVE", "17", "", "of an earlier membership"));
    assertThat(memberEvents(scene)).isEmpty();
    assertThat(scene.room.people().names()).containsOnlyKeys("17", "4");
  }

  @Test
  void truncatedListStillCountsAllMembers() {
    Scene scene = joined(members(500, true, 10, 11));
    assertThat(scene.room.people().count()).isEqualTo(500);
    assertThat(scene.room.people().names()).containsOnlyKeys("10", "11", "17");
    scene.takeEvents();
    joinsAndLeaves(scene, "LEAVE 99", "LEAVE 101", "LEAVE 11", "JOIN 105");
    assertThat(memberEvents(scene)).containsExactly("-99 499", "-11 498", "+105 499");
    scene.loop.pass(15_000);
    assertThat(memberEvents(scene)).isEmpty();
  }

  @Test
  void userWhoMayAlreadyBeCountedCountsUntilTheServerIsQueried() {
    Scene scene = joined(members(500, true, 10, 11));
    joinsAndLeaves(scene, "JOIN 98", "JOIN 99");
    assertThat(scene.room.people().count()).isEqualTo(502);
    scene.loop.pass(15_000); // the query fails
    assertThat(scene.room.people().count()).isEqualTo(502);
    scene.takeEvents();
    scene.members.put("?limit=1", "{\"count\":502}");
    joinsAndLeaves(scene, "JOIN 97");
    scene.loop.pass(4_999);
    assertThat(memberEvents(scene)).containsExactly("+97 503");
    scene.loop.pass(5_001);
    assertThat(memberEvents(scene)).containsExactly("people 502");
  }

  @Test
  void onlyTheCountChangesInARoomTooLargeForNames() {
    Scene scene = joined(members(999, true, 4));
    scene.takeEvents();
    scene.line().serverSends(members(1_250, true));
    assertThat(memberEvents(scene)).containsExactly("people 1250");
    assertThat(scene.room.people().names()).containsOnlyKeys("17");
  }

  /** In a room of this size no other member receives a JOIN or LEAVE. */
  @Test
  void quietJoinAndLeaveOfThisClientTakeEffect() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    String last = scene.text("last");
    scene.line().serverSends(members(1_250, true));
    scene.line().serverSends(last);
    scene.line().serverSends(Scene.with(scene.shown(scene.line().next()), "\"quiet\":true"));
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
