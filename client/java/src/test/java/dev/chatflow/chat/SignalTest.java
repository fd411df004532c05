package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that signals are sent at once or not at all, and affect nothing that the room keeps. */
class SignalTest {

  private static String typing(Scene scene, String user) {
    return Scene.with(scene.broadcast("SIGNAL", user, "", "s-" + user), "\"kind\":\"typing\"");
  }

  @Test
  void signalIsSentAtOnceWithEverythingItCarries() {
    Scene scene = Scene.joined();
    assertThat(scene.room.signal("typing")).isTrue();
    JsonObject typing = scene.line().next();
    assertThat(typing.keySet())
        .containsExactly(
            "messageType", "userId", "username", "timestamp", "messageId", "message", "kind");
    assertThat(Frames.text(typing, "messageType")).isEqualTo("SIGNAL");
    assertThat(Frames.text(typing, "kind")).isEqualTo("typing");
    assertThat(Frames.text(typing, "message")).isEmpty();
    Extras read = Extras.NONE.naming("read", Scene.MESSAGE).withData("{\"a\":1}");
    assertThat(scene.room.signal(read, "so far")).isTrue();
    JsonObject frame = scene.line().next();
    assertThat(Values.extrasOf(frame)).isEqualTo(read);
    assertThat(Frames.text(frame, "message")).isEqualTo("so far");
  }

  @Test
  void signalsOfAllMembersAreReportedInOrderWithTheTexts() {
    Scene scene = Scene.joined();
    String read =
        Scene.with(
            scene.broadcast("SIGNAL", "4", "so far", "s"),
            "\"kind\":\"read\",\"ref\":\"c\",\"refUserId\":\"8\",\"data\":{\"a\":1}");
    scene.line().serverSends(read);
    scene.line().serverSends(scene.text("a"));
    scene.line().serverSends(typing(scene, "17"));
    scene.line().serverSends(typing(scene, "17"));
    assertThat(scene.events)
        .containsExactly("signal read", "a", "signal typing own", "signal typing own");
    assertThat(scene.signals.getFirst())
        .isEqualTo(
            new Values.SignalValue(
                new Values.UserValue("4", "user4"),
                "so far",
                Instant.parse("2026-11-20T18:46:00.125Z"),
                false,
                new Values.ExtrasValue("read", new Values.RefValue("8", "c"), "{\"a\":1}"),
                ""));
  }

  @Test
  void listenerWithoutTheMethodIgnoresSignals() {
    Scene scene = Scene.joined();
    scene.room.add((_, message) -> scene.events.add("heard " + message.text()));
    scene.line().serverSends(typing(scene, "4"));
    scene.line().serverSends(scene.text("a"));
    assertThat(scene.events).containsExactly("signal typing", "a", "heard a");
  }

  @Test
  void withoutAConnectionInTheRoomNothingIsSentThenOrLater() {
    Scene scene = new Scene();
    assertThat(scene.room.signal("typing")).isFalse();
    scene.room.enter();
    scene.line().opens();
    assertThat(scene.room.signal("typing")).isFalse();
    JsonObject join = scene.line().next();
    scene.line().serverSends(scene.shown(join));
    scene.line().ends(1006, "");
    assertThat(scene.room.signal("typing")).isFalse();
    scene.loop.pass(1_000);
    scene.acceptJoin(scene.shown(join));
    assertThat(scene.line().rest()).isEmpty();
    var _ = scene.room.leave();
    assertThat(scene.room.signal("typing")).isFalse();
    scene.loop.pass(3_000);
    assertThat(scene.room.signal("typing")).isFalse();
    assertThat(scene.line().rest()).singleElement().asString().contains("LEAVE");
  }

  /**
   * The call may come from any thread, so the connection can end before the room's thread sends.
   */
  @Test
  void signalThatMeetsALostConnectionIsDropped() {
    Scene scene = Scene.joined();
    scene.loop.execute(() -> {
      assertThat(scene.room.signal("typing")).isTrue(); // its task waits until this one has ended
      scene.line().ends(1006, "");
    });
    assertThat(scene.line().rest()).isEmpty();
  }

  @Test
  void roomIsResumedAfterTheLastTextAndSignalsAreNotSentAgain() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    assertThat(scene.room.signal("typing")).isTrue();
    scene.line().serverSends(typing(scene, "4"));
    scene.line().serverSends(typing(scene, "17"));
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.takeEvents();
    JsonObject join =
        scene.acceptJoin(typing(scene, "4"), scene.text("a"), typing(scene, "4"), scene.text("b"));
    assertThat(Frames.text(join.getAsJsonObject("after"), "messageId")).isEqualTo("c-a");
    assertThat(scene.events).containsExactly("joining", "here server-1", "b past");
    assertThat(scene.line().rest()).isEmpty();
  }

  @Test
  void signalSettlesNoTextEvenUnderItsId() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> sent = scene.room.send("text");
    String id = Frames.text(scene.line().next(), "messageId");
    scene
        .line()
        .serverSends(
            Scene.with(scene.broadcast("SIGNAL", "17", "text", id), "\"kind\":\"typing\""));
    assertThat(sent).isNotDone();
  }

  @Test
  void errorOfASignalChangesNothingForTheTexts() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> one = scene.room.send("one");
    JsonObject text = scene.line().next();
    assertThat(scene.room.signal("typing")).isTrue();
    JsonObject signal = scene.line().next();
    scene.line().serverSends(Scene.error(signal, "RATE_LIMITED", 100));
    scene.line().serverSends(Scene.error(signal, "VALIDATION_FAILED", 0));
    var _ = scene.room.send("two");
    assertThat(Frames.text(scene.line().next(), "message")).isEqualTo("two");
    scene.loop.pass(100);
    assertThat(scene.line().rest()).isEmpty();
    scene.line().serverSends(scene.shown(text));
    assertThat(one).isCompleted();
  }

  @Test
  void signalsDoNotCountAsUnacknowledged() {
    Scene scene = Scene.joined();
    for (int i = 0; i < 3; i++) {
      assertThat(scene.room.signal("typing")).isTrue();
      assertThat(scene.room.send("text")).isNotDone();
    }
    assertThat(scene.room.send("one more")).isCompletedExceptionally();
    assertThat(scene.room.signal("typing")).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // like programs without null checks
  void invalidSignalIsRejectedAtTheCall() {
    Scene scene = new Scene();
    for (String kind : new String[] {null, "", "two words", "x".repeat(33), "typing\n"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scene.room.signal(kind))
          .withMessageStartingWith("the kind of a signal must be 1 to 32 of");
    }
    Extras typing = Extras.ofKind("typing");
    for (String text : List.of("x".repeat(501), "\ud83d")) {
      assertThatIllegalArgumentException().isThrownBy(() -> scene.room.signal(typing, text));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.signal(typing.withData("[1]"), ""));
    assertThatNullPointerException()
        .isThrownBy(() -> scene.room.signal(typing, null))
        .withMessageContaining("text is null");
    assertThat(scene.room.signal(Extras.ofKind("delete"), "😀".repeat(500))).isFalse();
  }
}
