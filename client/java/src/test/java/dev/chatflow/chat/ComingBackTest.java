package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests pings, close codes and gaps. */
class ComingBackTest {

  @Test
  void newMemberRequestsTheLastMessagesAndSeesThemAsPast() {
    Scene scene = new Scene();
    scene.room.enter();
    assertThat(scene.line().address).hasToString("ws://host/chat/5");
    JsonObject join = scene.acceptJoin(scene.text("a"), scene.broadcast("JOIN", "4", "", "j"));
    assertThat(join.get("history").getAsInt()).isEqualTo(50);
    assertThat(join.has("after")).isFalse();
    scene.line().serverSends(scene.text("b"));
    assertThat(scene.events)
        .containsExactly("connecting", "joining", "here server-1", "a past", "b");
    assertThat(scene.room.state()).isEqualTo(new Values.HereState("server-1"));
  }

  @Test
  void returningClientNamesItsLastFrameAndSeesMissedMessages() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    JsonObject join =
        scene.acceptJoin(scene.text("a"), scene.broadcast("JOIN", "8", "", "j8"), scene.text("b"));
    JsonObject after = join.getAsJsonObject("after");
    assertThat(after.keySet())
        .containsExactly("messageType", "userId", "messageId", "serverTimestamp");
    assertThat(after.get("messageId").getAsString()).isEqualTo("c-a");
    assertThat(scene.takeEvents())
        .containsExactly(
            "a",
            "waiting 375: the connection was lost",
            "connecting",
            "joining",
            "here server-1",
            "+8 2",
            "b past");
  }

  @Test
  void programThatStoredAPositionGetsEveryTextThatFollowed() {
    Scene scene = new Scene();
    scene.joinAfter(scene.nameOf("a")).enter();
    JsonObject join = scene.acceptJoin(scene.text("a"), scene.text("b"));
    assertThat(join.getAsJsonObject("after")).isEqualTo(scene.nameOf("a"));
    assertThat(scene.takeEvents()).contains("b past").doesNotContain("a past", "gap");
  }

  @Test
  void storedPositionThatIsNotKeptAnyMoreIsAGap() {
    Scene scene = new Scene();
    JsonObject position = scene.nameOf("a");
    scene.joinAfter(position).enter();
    scene.acceptJoin(scene.text("x"));
    assertThat(scene.takeEvents()).containsSubsequence("gap", "x past");
    assertThat(scene.gaps)
        .singleElement()
        .extracting(Room.Gap::since)
        .isEqualTo(Instant.parse(position.get("serverTimestamp").getAsString()));
  }

  @Test
  void joinCanBeNamedAsTheLastFrame() {
    Scene scene = new Scene();
    JsonObject first = scene.enter();
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    assertThat(scene.acceptJoin().getAsJsonObject("after").get("messageId"))
        .isEqualTo(first.get("messageId"));
  }

  @Test
  void failedResumeIsAGapAndShowsNewMessages() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.takeEvents();
    long lost = scene.loop.now() - 1_000;
    scene.acceptJoin(scene.text("x"), scene.text("a"), scene.text("y"));
    assertThat(scene.events).containsExactly("joining", "here server-1", "gap", "x past", "y past");
    assertThat(scene.gaps)
        .singleElement()
        .satisfies(gap -> {
          assertThat(gap.since()).isEqualTo(Instant.ofEpochMilli(lost));
          assertThat(Objects.requireNonNull(gap.until()).text()).isEqualTo("x");
        });
  }

  @Test
  void gapInARoomWithoutMessagesHasNoEnd() {
    Scene scene = Scene.joined();
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    scene.acceptJoin();
    assertThat(scene.gaps).singleElement().extracting(Room.Gap::until).isNull();
  }

  /** Returns only texts that were not shown, and skips pages without a text. */
  @Test
  void gapIsFilledFromTheHistoryOfTheServer() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    scene.acceptJoin(scene.text("x"));
    scene.pages.put("c-x", List.of(scene.text("v"), scene.text("w")));
    scene.pages.put("c-v", List.of(scene.broadcast("JOIN", "8", "", "j8")));
    scene.pages.put("j8", List.of(scene.text("a"), scene.text("u")));
    scene.pages.put("c-u", List.of(scene.text("a")));
    Message until = Objects.requireNonNull(scene.gaps.getFirst().until());
    List<String> found = new ArrayList<>();
    List<Message> page = scene.room.older(50, until).resultNow();
    while (!page.isEmpty()) {
      page.reversed().forEach(text -> found.addFirst(text.text()));
      page = scene.room.older(50, page.getFirst()).resultNow();
    }
    assertThat(found).containsExactly("u", "v", "w");
  }

  @Test
  void olderTextsAreReadPageByPageFromTheFirstOneKnown() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.acceptJoin(scene.text("c"));
    scene.pages.put("c-c", List.of(scene.text("b")));
    scene.pages.put("c-b", List.of(scene.text("a")));
    scene.failures = 1;
    assertThat(scene.room.older(50)).isCompletedExceptionally();
    for (String expected : List.of("b", "a")) {
      assertThat(scene.room.older(50).resultNow())
          .singleElement()
          .satisfies(message -> assertThat(message.text()).isEqualTo(expected))
          .satisfies(message -> assertThat(message.past()).isTrue());
    }
    assertThat(scene.room.older(50).resultNow()).isEmpty();
    assertThat(scene.room.older(50).resultNow()).isEmpty();
  }

  @Test
  void roomThatWasNeverEnteredHasNothingOlder() {
    assertThat(new Scene().room.older(50).resultNow()).isEmpty();
  }

  @Test
  void after4010NothingIsResumed() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    assertThat(scene.acceptJoin(scene.text("a")).has("after")).isFalse();
    assertThat(scene.events).contains("gap").doesNotContain("a past");
  }

  @Test
  void answersToResendsAndQuietFramesAreNeverNamed() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().serverSends(Scene.with(scene.text("b"), "\"duplicate\":true"));
    scene.line().serverSends(Scene.with(scene.text("c"), "\"quiet\":true"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    assertThat(scene.acceptJoin().getAsJsonObject("after").get("messageId").getAsString())
        .isEqualTo("c-a");
  }

  @Test
  void longPastIsShownCompletely() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.takeEvents();
    String[] past = new String[5_000];
    past[0] = scene.text("a");
    for (int i = 1; i < past.length; i++) {
      past[i] = scene.text("m" + i);
    }
    scene.acceptJoin(past);
    assertThat(scene.events)
        .hasSize(5_001)
        .startsWith("joining", "m1 past")
        .endsWith("m4999 past")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "1001, reconnect after 700 ms, 700",
    "1001, no sign of life from the client, 375",
    "1012, reconnect after 5000 ms, 5000",
    "1013, '', 1500",
    "4003, '', 375",
    "4008, '', 375",
    "0, '', 375"
  })
  void closeCodeDeterminesTheReconnectDelay(int code, String reason, long delay) {
    Scene scene = Scene.joined();
    scene.line().ends(code, reason);
    assertThat(scene.events).singleElement().asString().startsWith("waiting " + delay + ": ");
    scene.loop.pass(delay);
    assertThat(scene.net.lines).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"1000", "1002", "1003", "1007", "1008", "1009", "4001", "4005", "4009"})
  void closeCodesForClientErrorsStopTheRoom(int code) {
    Scene scene = Scene.joined();
    scene.line().ends(code, "");
    assertThat(scene.events).singleElement().asString().startsWith("stopped CLOSED " + code + ": ");
    assertThat(scene.room.send("x")).isCompletedExceptionally();
    assertThat(scene.loop.timers()).isZero();
  }

  @Test
  void failuresDoubleTheDelayUpToALimit() {
    Scene scene = new Scene();
    scene.room.enter();
    long[] expected = {375, 750, 1_500, 3_000, 6_000, 11_250, 11_250};
    for (long wait : expected) {
      scene.takeEvents();
      scene.line().ends(0, "the server answers 503");
      assertThat(scene.events)
          .containsExactly(
              "waiting " + wait + ": the server does not answer: the server answers 503");
      scene.loop.pass(wait);
    }
    scene.acceptJoin();
    scene.loop.pass(6_000);
    scene.takeEvents();
    scene.line().ends(1006, "");
    assertThat(scene.events)
        .as("after a stable connection")
        .containsExactly("waiting 375: the connection was lost");
  }

  @Test
  void roomSupersededByItsOwnLateAttemptReconnectsOnce() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    scene.line().ends(0, "");
    scene.loop.pass(1_000);
    scene.acceptJoin();
    scene.line().ends(4009, "");
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
    scene.loop.pass(1_000);
    scene.acceptJoin();
    scene.line().ends(4009, "");
    assertThat(scene.room.state()).as("only once").isInstanceOf(State.Stopped.class);
  }

  @Test
  void silentServerGetsAPingAndIsAbandoned() {
    Scene scene = Scene.joined();
    scene.line().rest();
    scene.loop.pass(19_999);
    assertThat(scene.line().rest()).isEmpty();
    scene.loop.pass(1);
    assertThat(scene.line().rest()).containsExactly("{\"messageType\":\"PING\"}");
    scene.loop.pass(9_999);
    assertThat(scene.events).isEmpty();
    scene.loop.pass(1);
    assertThat(scene.events).containsExactly("waiting 375: the server does not answer");
    assertThat(scene.line().closed).isEqualTo(1000);
  }

  @Test
  void connectionToAnAnsweringServerIsKept() {
    Scene scene = Scene.joined();
    for (int i = 0; i < 5; i++) {
      scene.line().rest();
      scene.loop.pass(20_000);
      assertThat(scene.line().rest()).hasSize(1);
      scene
          .line()
          .serverSends(
              i == 0 ? "{\"status\":422,\"errorCode\":\"X\"}" : "{\"messageType\":\"PONG\"}");
    }
    assertThat(scene.events).isEmpty();
  }

  @Test
  void pingIsSentAfterTheMachineSleptBeforeTheRoomReconnects() {
    Scene scene = Scene.joined();
    scene.line().rest();
    scene.loop.pass(20_000);
    scene.loop.sleep(600_000);
    assertThat(scene.line().rest()).hasSize(2);
    scene.line().serverSends("{\"messageType\":\"PONG\"}");
    scene.loop.pass(3_000);
    assertThat(scene.events).isEmpty();
  }

  @Test
  void unansweredHandshakeTimesOut() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.loop.pass(10_000);
    assertThat(scene.net.lines.getFirst().closed).isEqualTo(1000);
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
  }

  @Test
  void postponedJoinIsRetriedAndRejectedJoinStopsTheRoom() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    scene.line().serverSends(Scene.error(scene.line().next(), "SERVICE_UNAVAILABLE", 400));
    scene.loop.pass(400);
    scene.line().serverSends(Scene.error(scene.line().next(), "VALIDATION_FAILED", 0));
    assertThat(scene.events)
        .containsExactly(
            "connecting",
            "joining",
            "waiting 400: not accepted: no",
            "joining",
            "stopped VALIDATION_FAILED 0: not accepted: no");
  }

  @Test
  void nothingRunsAfterTheLeave() {
    Scene scene = Scene.joined();
    var left = scene.room.leave();
    assertThat(left).isNotDone();
    scene.line().serverSends(scene.shown(scene.line().next()));
    assertThat(left).isCompleted();
    assertThat(scene.events).containsExactly("left");
    assertThat(scene.room.people().names()).isEmpty();
    assertThat(scene.line().closed).isEqualTo(1000);
    assertThat(scene.isEnded).isTrue();
    assertThat(scene.room.send("x")).isCompletedExceptionally();
    scene.loop.pass(60_000);
    assertThat(scene.loop.timers()).isZero();
  }

  @Test
  void unansweredLeaveCompletesAfterThreeSeconds() {
    Scene scene = Scene.joined();
    var left = scene.room.leave().thenApply(_ -> scene.room.state());
    scene.loop.pass(2_999);
    assertThat(left).isNotDone();
    scene.loop.pass(1);
    assertThat(left).isCompletedWithValue(new Values.LeftState());
  }

  /** Such a room, for example after {@code orTimeout}, used to stay connected. */
  @Test
  void leaveIsCompletedEvenIfTheProgramCancelsItsFuture() {
    Scene scene = Scene.joined();
    assertThat(scene.room.leave().cancel(false)).isTrue();
    scene.loop.pass(3_000);
    assertThat(scene.isEnded).isTrue();
    assertThat(scene.room.leave()).isCompleted();
  }

  /**
   * The next room with this id used to be entered first, so the listener got the leave after that.
   */
  @Test
  void listenerIsNotifiedBeforeTheLeaveIsDone() {
    Scene scene = Scene.joined();
    scene.line().ends(1006, "");
    scene.takeEvents();
    var events = scene.room.leave().thenApply(_ -> scene.takeEvents());
    assertThat(events).isCompletedWithValue(List.of("left"));
  }

  /** Such a room used to enter, and its connection competed with the next room's. */
  @Test
  void roomLeftBeforeItIsEnteredDoesNotConnect() {
    Scene scene = new Scene();
    assertThat(scene.room.leave()).isCompleted();
    scene.room.enter();
    assertThat(scene.net.lines).isEmpty();
  }

  @Test
  void leaveWithoutAConnectionCompletesAtOnce() {
    Scene scene = Scene.joined();
    scene.line().ends(1006, "");
    assertThat(scene.room.leave()).isCompleted();
    scene.loop.pass(60_000);
    assertThat(scene.net.lines).hasSize(1);
  }
}
