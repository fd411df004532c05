package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Answer;
import dev.chatflow.chat.link.Frames;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that each text is shown once and that each send completes. */
class OnceTest {

  private static void assertFailed(CompletableFuture<?> sent, Code code) {
    assertThat(sent).isCompletedExceptionally();
    assertThatThrownBy(sent::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ChatException.class)
        .cause()
        .hasFieldOrPropertyWithValue("code", code);
  }

  @Test
  void sendCompletesWhenTheTextIsBroadcast() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> sent = scene.room.send("hello");
    JsonObject frame = scene.line().next();
    assertThat(Frames.text(frame, "username")).isEqualTo("ann");
    assertThat(sent).isNotDone();
    scene.line().serverSends(scene.shown(frame));
    assertThat(sent.join().text()).isEqualTo("hello");
    assertThat(sent.join().own()).isTrue();
    assertThat(scene.events).containsExactly("hello own");
  }

  @Test
  void textsWrittenBeforeTheJoinWaitForIt() {
    Scene scene = new Scene();
    scene.room.enter();
    var _ = scene.room.send("early");
    scene.line().opens();
    JsonObject join = scene.line().next();
    assertThat(scene.line().rest()).isEmpty();
    scene.line().serverSends(scene.shown(join));
    assertThat(Frames.text(scene.line().next(), "message")).isEqualTo("early");
  }

  @Test
  void afterAResumeOnlyTextsMissingFromThePastAreSentAgain() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.text("a"));
    CompletableFuture<Message> one = scene.room.send("one");
    CompletableFuture<Message> two = scene.room.send("two");
    JsonObject first = scene.line().next();
    JsonObject second = scene.line().next();
    scene.line().ends(1006, "");
    scene.loop.pass(1_000);
    scene.acceptJoin(scene.text("a"), scene.shown(first));
    assertThat(one.join().past()).isTrue();
    assertThat(two).isNotDone();
    assertThat(scene.line().next()).isEqualTo(second);
    scene.line().serverSends(Scene.with(scene.shown(second), "\"duplicate\":true"));
    assertThat(two.join().late()).isTrue();
  }

  @Test
  void afterAFailedResumeSentTextsAreUnknownAndUnsentTextsAreSent() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> sent = scene.room.send("sent");
    CompletableFuture<Message> shown = scene.room.send("shown");
    scene.line().next();
    JsonObject second = scene.line().next();
    scene.line().ends(1006, "");
    CompletableFuture<Message> unsent = scene.room.send("unsent");
    scene.loop.pass(1_000);
    scene.acceptJoin(scene.shown(second));
    assertFailed(sent, Code.UNKNOWN);
    assertThat(shown).isCompleted();
    assertThat(Frames.text(scene.line().next(), "message")).isEqualTo("unsent");
    assertThat(unsent).isNotDone();
  }

  @Test
  void refusalIsReportedAndRateLimitedTextsKeepTheirOrder() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> bad = scene.room.send("bad");
    scene.line().serverSends(Scene.error(scene.line().next(), "VALIDATION_FAILED", 0));
    assertFailed(bad, Code.VALIDATION_FAILED);
    var _ = scene.room.send("one");
    var _ = scene.room.send("two");
    scene.line().serverSends(Scene.error(scene.line().next(), "RATE_LIMITED", 250));
    scene.line().serverSends(Scene.error(scene.line().next(), "RATE_LIMITED", 900));
    scene.loop.pass(249);
    assertThat(scene.line().rest()).isEmpty();
    scene.loop.pass(1);
    assertThat(scene.line().rest())
        .satisfiesExactly(
            frame -> assertThat(frame).contains("\"one\""),
            frame -> assertThat(frame).contains("\"two\""));
  }

  @Test
  void laterTextWaitsForARateLimitedOne() {
    Scene scene = Scene.joined();
    var _ = scene.room.send("one");
    scene.line().serverSends(Scene.error(scene.line().next(), "RATE_LIMITED", 250));
    var _ = scene.room.send("two");
    assertThat(scene.line().rest()).isEmpty();
    scene.loop.pass(250);
    assertThat(scene.line().rest())
        .satisfiesExactly(
            frame -> assertThat(frame).contains("\"one\""),
            frame -> assertThat(frame).contains("\"two\""));
  }

  /** Such a call used to wait forever for its own thread. */
  @Test
  void listenerThatWaitsForItsOwnRoomGetsAnExceptionInsteadOfHanging() {
    Answer<String> answer = new Answer<>(() -> true);
    assertThatThrownBy(answer::join)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a listener must not wait");
    assertThatThrownBy(answer::get).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> answer.get(1, TimeUnit.SECONDS))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> answer.thenApply(String::length).join())
        .isInstanceOf(IllegalStateException.class);
    answer.complete("done");
    assertThat(answer.join()).isEqualTo("done");
  }

  @Test
  void noFutureOfARoomCanBeAwaitedInItsListener() {
    Scene scene = Scene.joined();
    scene.loop.holdAsides = true;
    assertThatIllegalStateException().isThrownBy(scene.room::everybody);
    for (CompletableFuture<?> answer :
        List.of(
            new Scene().room.entered(),
            scene.room.send("x"),
            scene.room.older(1),
            scene.room.older(1, Scene.MESSAGE),
            scene.room.leave())) {
      assertThatThrownBy(answer::join)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a listener must not wait");
    }
  }

  @Test
  void differentTextsWithTheSameIdAreBothShown() {
    Scene scene = Scene.joined();
    scene.line().serverSends(scene.broadcast("TEXT", "4", "full", "alarm"));
    scene.line().serverSends(scene.broadcast("TEXT", "4", "fine again", "alarm"));
    scene.line().serverSends(scene.broadcast("TEXT", "4", "full", "alarm"));
    assertThat(scene.events).containsExactly("full", "fine again");
  }

  @Test
  void textCarriesDataAndNamesAnotherMessage() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> sent =
        scene.room.send("yes", Extras.reply(Scene.MESSAGE).withData("{\"a\": [1]}"));
    JsonObject frame = scene.line().next();
    assertThat(frame.get("kind").getAsString()).isEqualTo("reply");
    assertThat(frame.get("ref").getAsString()).isEqualTo("c-m");
    assertThat(frame.get("refUserId").getAsString()).isEqualTo("4");
    assertThat(frame.get("data")).hasToString("{\"a\":[1]}");
    JsonObject shown = Scene.json(scene.shown(frame));
    List.of("kind", "ref", "refUserId", "data").forEach(name -> shown.add(name, frame.get(name)));
    scene.line().serverSends(shown.toString());
    assertThat(sent.join().extras())
        .isEqualTo(new Values.ExtrasValue("reply", new Values.RefValue("4", "c-m"), "{\"a\":[1]}"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.send("", Extras.edit(Scene.MESSAGE)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.send("x", Extras.NONE.withData("[1]")));
    assertThat(scene.room.send("", Extras.delete(Scene.MESSAGE))).isNotDone();
  }

  /** Some characters are longer in the form of this library than in the form of the sender. */
  @Test
  void receivedDataIsNotChecked() {
    Scene scene = Scene.joined();
    JsonObject frame = Scene.json(scene.text("a"));
    JsonObject data = new JsonObject();
    data.addProperty("x", "\u2028".repeat(600));
    frame.add("data", data);
    scene.line().serverSends(frame.toString());
    assertThat(scene.events).containsExactly("a");
  }

  @Test
  void invalidTextsAreRejectedByTheClient() {
    Scene scene = Scene.joined();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.send(""))
        .withMessage("a text has 1 to 500 characters, this one has 0: skip empty texts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.send("😀".repeat(501)))
        .withMessageContaining("this one has 501: split it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.room.send("\ud83d"))
        .withMessageContaining("half a character");
    assertThatIllegalArgumentException().isThrownBy(() -> scene.room.older(0));
    assertThatIllegalArgumentException().isThrownBy(() -> scene.room.older(101, Scene.MESSAGE));
    assertThat(scene.room.send("😀".repeat(500))).isNotDone();
  }

  @Test
  void reasonWhySendWouldFailIsReportedWithoutSending() {
    Scene scene = Scene.joined();
    Extras array = Extras.NONE.withData("[1]");
    for (String invalid : List.of("", "x".repeat(501), "\ud83d")) {
      assertThat(scene.room.wrong(invalid))
          .get()
          .satisfies(why -> {
            assertThat(why.code()).isEqualTo(Code.VALIDATION_FAILED);
            assertThatIllegalArgumentException()
                .isThrownBy(() -> scene.room.send(invalid))
                .withMessage(why.getMessage());
          });
    }
    assertThat(scene.room.wrong("x", array)).isPresent();
    assertThat(scene.room.wrong("", Extras.delete(Scene.MESSAGE))).isEmpty();
    assertThat(scene.room.wrong("x")).isEmpty();
    assertThat(scene.line().rest()).isEmpty();
    scene.line().ends(4009, "");
    assertThat(scene.room.wrong("x")).get().extracting(ChatException::code).isEqualTo(Code.LEFT);
    assertFailed(scene.room.send("x"), Code.LEFT);
  }

  @Test
  void tooManyIsReportedOnlyToAListenerBecauseOtherThreadsWait() {
    Scene scene = Scene.joined();
    for (int i = 0; i < 3; i++) {
      assertThat(scene.room.wrong("text")).isEmpty();
      var _ = scene.room.send("text " + i);
    }
    assertThat(scene.room.wrong("x"))
        .get()
        .extracting(ChatException::code)
        .isEqualTo(Code.TOO_MANY);
    scene.loop.isHere = false;
    assertThat(scene.room.wrong("x")).isEmpty();
  }

  @Test
  void threadOfTheRoomGetsAnErrorWhenTooManyTextsAreInFlight() {
    Scene scene = Scene.joined();
    for (int i = 0; i < 3; i++) {
      var _ = scene.room.send("text " + i);
    }
    assertFailed(scene.room.send("one more"), Code.TOO_MANY);
    scene.line().serverSends(scene.shown(scene.line().next()));
    assertThat(scene.room.send("now")).isNotDone();
  }

  @Test
  void otherThreadsWaitUntilATextIsAnswered() throws InterruptedException {
    Scene scene = Scene.joined();
    for (int i = 0; i < 3; i++) {
      var _ = scene.room.send("text " + i);
    }
    scene.loop.isHere = false;
    Thread.currentThread().interrupt();
    assertFailed(scene.room.send("interrupted"), Code.LEFT);
    assertThat(Thread.interrupted()).isTrue();
    Thread other =
        Thread.ofVirtual()
            .start(() -> {
              var _ = scene.room.send("patient");
            });
    scene.line().serverSends(scene.shown(scene.line().next()));
    other.join();
    assertThat(scene.line().rest()).last().asString().contains("patient");
  }

  @Test
  void duplicatesOfTheLast4096TextsAreDropped() {
    Scene scene = Scene.joined();
    for (int i = 0; i <= 4_096; i++) {
      scene.line().serverSends(scene.text("m" + i));
    }
    scene.takeEvents();
    scene.line().serverSends(scene.text("m1"));
    assertThat(scene.events).isEmpty();
    scene.line().serverSends(scene.text("m0"));
    assertThat(scene.events).containsExactly("m0");
  }

  @Test
  void unansweredTextsFailAfterTheLeave() {
    Scene scene = Scene.joined();
    CompletableFuture<Message> sent = scene.room.send("late");
    var _ = scene.room.leave();
    scene.loop.pass(3_000);
    assertFailed(sent, Code.LEFT);
  }
}
