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

/** Pings, the table of close codes, and gaps. */
class ComingBackTest {

  @Test
  void newMemberRequestsTheLastMessagesAndSeesThemAsPast() {
    Scene scene = new Scene();
    scene.room.enter();
    assertThat(scene.line().address).hasToString("ws://host/chat/5");
    JsonObject join = scene.letIn(scene.text("a"), scene.broadcast("JOIN", "4", "", "j"));
    assertThat(join.get("history").getAsInt()).isEqualTo(50);
    assertThat(join.has("after")).isFalse();
    scene.line().says(scene.text("b"));
    assertThat(scene.heard)
        .containsExactly("connecting", "joining", "here server-1", "a past", "b");
    assertThat(scene.room.state()).isEqualTo(new State.Here("server-1"));
  }

  @Test
  void returningClientNamesItsLastFrameAndSeesMissedMessages() {
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    JsonObject join =
        scene.letIn(scene.text("a"), scene.broadcast("JOIN", "8", "", "j8"), scene.text("b"));
    JsonObject after = join.getAsJsonObject("after");
    assertThat(after.keySet())
        .containsExactly("messageType", "userId", "messageId", "serverTimestamp");
    assertThat(after.get("messageId").getAsString()).isEqualTo("c-a");
    assertThat(scene.takeHeard())
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
  void ownJoinIsAFrameToNameToo() {
    Scene scene = new Scene();
    JsonObject first = scene.enter();
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    assertThat(scene.letIn().getAsJsonObject("after").get("messageId"))
        .isEqualTo(first.get("messageId"));
  }

  @Test
  void failedResumeIsAGapAndShowsNewMessages() {
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.takeHeard();
    long lost = scene.loop.now() - 1_000;
    scene.letIn(scene.text("x"), scene.text("a"), scene.text("y"));
    assertThat(scene.heard).containsExactly("joining", "here server-1", "gap", "x past", "y past");
    assertThat(scene.gaps)
        .singleElement()
        .satisfies(gap -> {
          assertThat(gap.since()).isEqualTo(Instant.ofEpochMilli(lost));
          assertThat(Objects.requireNonNull(gap.until()).text()).isEqualTo("x");
        });
  }

  @Test
  void gapInARoomThatShowsNothingHasNoEnd() {
    Scene scene = Scene.inTheRoom();
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    scene.letIn();
    assertThat(scene.gaps).singleElement().extracting(Room.Gap::until).isNull();
  }

  /** Only texts that were not shown are read, and pages without a text are skipped. */
  @Test
  void gapIsFilledFromTheHistoryOfTheServer() {
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    scene.letIn(scene.text("x"));
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
    scene.letIn(scene.text("c"));
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
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().ends(4010, "");
    scene.loop.pass(1_000);
    assertThat(scene.letIn(scene.text("a")).has("after")).isFalse();
    assertThat(scene.heard).contains("gap").doesNotContain("a past");
  }

  @Test
  void answersToResendsAndQuietFramesAreNeverNamed() {
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().says(Scene.with(scene.text("b"), "\"duplicate\":true"));
    scene.line().says(Scene.with(scene.text("c"), "\"quiet\":true"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    assertThat(scene.letIn().getAsJsonObject("after").get("messageId").getAsString())
        .isEqualTo("c-a");
  }

  @Test
  void pastBeyondEveryBoundIsShownWhole() {
    Scene scene = Scene.inTheRoom();
    scene.line().says(scene.text("a"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.takeHeard();
    String[] past = new String[5_000];
    past[0] = scene.text("a");
    for (int i = 1; i < past.length; i++) {
      past[i] = scene.text("m" + i);
    }
    scene.letIn(past);
    assertThat(scene.heard)
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
  void closeTableSaysWhenToReconnect(int code, String reason, long delay) {
    Scene scene = Scene.inTheRoom();
    scene.line().ends(code, reason);
    assertThat(scene.heard).singleElement().asString().startsWith("waiting " + delay + ": ");
    scene.loop.pass(delay);
    assertThat(scene.net.lines).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"1000", "1002", "1003", "1007", "1008", "1009", "4001", "4009"})
  void errorsThatTheClientMustFixStopIt(int code) {
    Scene scene = Scene.inTheRoom();
    scene.line().ends(code, "");
    assertThat(scene.heard).singleElement().asString().startsWith("stopped " + code + ": ");
    assertThat(scene.room.send("x")).isCompletedExceptionally();
    assertThat(scene.loop.timers()).isZero();
  }

  @Test
  void failuresDoubleTheWaitUpToABound() {
    Scene scene = new Scene();
    scene.room.enter();
    long[] expected = {375, 750, 1_500, 3_000, 6_000, 11_250, 11_250};
    for (long wait : expected) {
      scene.takeHeard();
      scene.line().ends(0, "the server answers 503");
      assertThat(scene.heard)
          .containsExactly(
              "waiting " + wait + ": the server does not answer: the server answers 503");
      scene.loop.pass(wait);
    }
    scene.letIn();
    scene.loop.pass(6_000);
    scene.takeHeard();
    scene.line().ends(1006, "");
    assertThat(scene.heard).as("steady").containsExactly("waiting 375: the connection was lost");
  }

  @Test
  void ownAttemptThatJoinsLateDoesNotStopIt() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    scene.line().ends(0, "");
    scene.loop.pass(1_000);
    scene.letIn();
    scene.line().ends(4009, "");
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
    scene.loop.pass(1_000);
    scene.letIn();
    scene.line().ends(4009, "");
    assertThat(scene.room.state()).as("once").isInstanceOf(State.Stopped.class);
  }

  @Test
  void silentServerGetsAPingAndIsGivenUp() {
    Scene scene = Scene.inTheRoom();
    scene.line().rest();
    scene.loop.pass(19_999);
    assertThat(scene.line().rest()).isEmpty();
    scene.loop.pass(1);
    assertThat(scene.line().rest()).containsExactly("{\"messageType\":\"PING\"}");
    scene.loop.pass(9_999);
    assertThat(scene.heard).isEmpty();
    scene.loop.pass(1);
    assertThat(scene.heard).containsExactly("waiting 375: the server does not answer");
    assertThat(scene.line().closed).isEqualTo(1000);
  }

  @Test
  void serverThatAnswersIsKept() {
    Scene scene = Scene.inTheRoom();
    for (int i = 0; i < 5; i++) {
      scene.line().rest();
      scene.loop.pass(20_000);
      assertThat(scene.line().rest()).hasSize(1);
      scene
          .line()
          .says(i == 0 ? "{\"status\":422,\"errorCode\":\"X\"}" : "{\"messageType\":\"PONG\"}");
    }
    assertThat(scene.heard).isEmpty();
  }

  @Test
  void machineThatSleptSendsAPingBeforeItGivesUp() {
    Scene scene = Scene.inTheRoom();
    scene.line().rest();
    scene.loop.pass(20_000);
    scene.loop.sleep(600_000);
    assertThat(scene.line().rest()).hasSize(2);
    scene.line().says("{\"messageType\":\"PONG\"}");
    scene.loop.pass(3_000);
    assertThat(scene.heard).isEmpty();
  }

  @Test
  void handshakeThatIsNotAnsweredIsGivenUp() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.loop.pass(10_000);
    assertThat(scene.net.lines.getFirst().closed).isEqualTo(1000);
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
  }

  @Test
  void joinThatIsPutOffIsTriedAgainAndOneThatIsRefusedStops() {
    Scene scene = new Scene();
    scene.room.enter();
    scene.line().opens();
    scene.line().says(Scene.error(scene.line().next(), "SERVICE_UNAVAILABLE", 400));
    scene.loop.pass(400);
    scene.line().says(Scene.error(scene.line().next(), "VALIDATION_FAILED", 0));
    assertThat(scene.heard)
        .containsExactly(
            "connecting",
            "joining",
            "waiting 400: not accepted: no",
            "joining",
            "stopped VALIDATION_FAILED: not accepted: no");
  }

  @Test
  void nothingRunsAfterTheLeave() {
    Scene scene = Scene.inTheRoom();
    var left = scene.room.leave();
    assertThat(left).isNotDone();
    scene.line().says(scene.shown(scene.line().next()));
    assertThat(left).isCompleted();
    assertThat(scene.heard).containsExactly("left");
    assertThat(scene.room.people().names()).isEmpty();
    assertThat(scene.line().closed).isEqualTo(1000);
    assertThat(scene.isEnded).isTrue();
    assertThat(scene.room.send("x")).isCompletedExceptionally();
    scene.loop.pass(60_000);
    assertThat(scene.loop.timers()).isZero();
  }

  @Test
  void leaveThatDoesNotComeBackIsDoneInThreeSeconds() {
    Scene scene = Scene.inTheRoom();
    var left = scene.room.leave().thenApply(_ -> scene.room.state());
    scene.loop.pass(2_999);
    assertThat(left).isNotDone();
    scene.loop.pass(1);
    assertThat(left).isCompletedWithValue(new State.Left());
  }

  /** The next room of this id was entered first, so its listener got the leave after that. */
  @Test
  void listenerIsNotifiedBeforeTheLeaveIsDone() {
    Scene scene = Scene.inTheRoom();
    scene.line().ends(1006, "");
    scene.takeHeard();
    var heard = scene.room.leave().thenApply(_ -> scene.takeHeard());
    assertThat(heard).isCompletedWithValue(List.of("left"));
  }

  /** It entered, and its connection competed with the one after it. */
  @Test
  void roomThatWasLeftBeforeItsTurnIsNotEntered() {
    Scene scene = new Scene();
    assertThat(scene.room.leave()).isCompleted();
    scene.room.enter();
    assertThat(scene.net.lines).isEmpty();
  }

  @Test
  void leaveWithoutConnectionIsDoneAtOnce() {
    Scene scene = Scene.inTheRoom();
    scene.line().ends(1006, "");
    assertThat(scene.room.leave()).isCompleted();
    scene.loop.pass(60_000);
    assertThat(scene.net.lines).hasSize(1);
  }
}
