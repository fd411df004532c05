package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the future of a room's first JOIN. */
class EnteredTest {

  private final Scene scene = new Scene();
  private final CompletableFuture<Void> entered = scene.room.entered();

  private void assertFailed(Code code, String message) {
    for (CompletableFuture<Void> each : List.of(entered, scene.room.entered())) {
      assertThatThrownBy(each::join)
          .cause()
          .isInstanceOf(ChatException.class)
          .hasFieldOrPropertyWithValue("code", code)
          .hasMessage(message);
    }
  }

  @Test
  void firstJoinCompletesItAfterThePastWasShown() {
    CompletableFuture<Integer> shown = entered.thenApply(_ -> scene.events.size());
    scene.room.enter();
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    assertThat(entered).isNotDone();
    scene.acceptJoin(scene.text("a"));
    assertThat(shown).isCompletedWithValue(scene.events.size());
    assertThat(scene.events).endsWith("a past");
    scene.line().ends(1006, "");
    assertThat(scene.room.entered()).as("while reconnecting").isCompleted();
    assertThat(scene.room.leave()).isCompleted();
    assertThat(scene.room.entered()).as("after the leave").isCompleted();
  }

  @Test
  void roomThatStopsBeforeFailsItWithTheSameCode() {
    scene.room.enter();
    scene.line().ends(4001, "not here");
    assertFailed(Code.CLOSED, "the server rejected this token: not here");
    assertThat(scene.room.leave()).isCompleted();
    assertFailed(Code.CLOSED, "the server rejected this token: not here");
  }

  /** The state used to have the code as text. */
  @Test
  void codeOfANewerServerIsNamedInTheReason() {
    scene.room.enter();
    scene.line().opens();
    scene.line().serverSends(Scene.error(scene.line().next(), "NEWER", 0));
    assertFailed(Code.OTHER, "NEWER: not accepted: no");
    assertThat(scene.room.state())
        .isEqualTo(new Values.StoppedState("NEWER: not accepted: no", Code.OTHER, 0));
  }

  @Test
  void roomThatIsLeftBeforeFailsIt() {
    scene.room.enter();
    assertThat(scene.room.leave()).isCompleted();
    assertFailed(Code.LEFT, "the room was left before it was joined");
  }

  @Test
  void futureThatTheProgramCancelsChangesNothing() {
    entered.cancel(false);
    assertThat(scene.room.entered()).isNotDone();
    scene.enter();
    assertThat(scene.room.entered()).isCompleted();
  }
}
