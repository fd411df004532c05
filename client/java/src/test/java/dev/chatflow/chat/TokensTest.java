package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.FakeNet;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Tokens;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The user's identity from tokens, and their renewal. */
class TokensTest {

  private final Scene scene = new Scene(new RoomClient.Setting("5", null, 0, 0, 3, 500), true);

  private FakeNet.Line enterWith(String... tokens) {
    scene.net.answersPings = true;
    scene.tokens.addAll(List.of(tokens));
    scene.enter();
    return scene.line();
  }

  @Test
  void tokenNamesTheUser() {
    String token = scene.token("ann@example.org", 3_600);
    scene.tokens.add(token);
    JsonObject join = scene.enter();
    assertThat(scene.line().token).isEqualTo(token);
    assertThat(Frames.text(join, "userId")).isEqualTo("ann@example.org");
  }

  @Test
  void aMinuteBeforeItsEndANewConnectionTakesOverAndNothingIsTwice() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    old.says(scene.text("a"));
    scene.loop.pass(240_000);
    assertThat(scene.net.lines).hasSize(2);
    old.says(scene.text("b"));
    scene.takeHeard();
    scene.letIn(scene.text("b"), scene.text("c"));
    assertThat(old.closed).isEqualTo(1000);
    assertThat(scene.heard).containsExactly("here server-1", "c");
  }

  @Test
  void newConnectionThatFailsLeavesTheOldOne() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    scene.loop.pass(240_000);
    scene.takeHeard();
    scene.line().ends(1006, "");
    old.says(scene.text("a"));
    assertThat(scene.heard).containsExactly("a");
  }

  @Test
  void takeoverOfTheOldConnectionIsExpected() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    scene.loop.pass(240_000);
    old.ends(4009, "");
    assertThat(scene.room.state()).isEqualTo(new State.Joining());
    scene.letIn();
    assertThat(scene.room.state()).isEqualTo(new State.Here("server-1"));
  }

  @Test
  void expiredTokenIsReplacedAtOnceAndTheSameAgainStops() {
    String second = scene.token("17", 3_600);
    FakeNet.Line first = enterWith(scene.token("17", 3_600), second);
    first.ends(4002, "");
    scene.loop.pass(0);
    assertThat(scene.line().token).isEqualTo(second);
    scene.letIn();
    scene.line().ends(4002, "");
    scene.loop.pass(60_000);
    assertThat(scene.room.state())
        .isEqualTo(new State.Stopped("the token has expired, and there is no other", "4002"));
  }

  @Test
  void refusedTokenIsReplacedOnceThenItStops() {
    FakeNet.Line first =
        enterWith(scene.token("17", 3_600), scene.token("17", 3_600), scene.token("17", 3_600));
    first.ends(4001, "not here");
    scene.loop.pass(0);
    scene.line().ends(4001, "not here");
    assertThat(scene.room.state())
        .isEqualTo(new State.Stopped("the server rejected this token: not here", "4001"));
  }

  @Test
  void tokenThatCannotBeHadIsAskedForAgain() {
    scene.room.enter();
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
    scene.tokens.add(scene.token("17", 3_600));
    scene.loop.pass(1_000);
    scene.letIn();
    assertThat(scene.room.state()).isEqualTo(new State.Here("server-1"));
  }

  @Test
  void tokenOfAnotherUserStopsTheRoomAndNoTextOfTheFirstIsSent() {
    FakeNet.Line first = enterWith(scene.token("17", 3_600), scene.token("42", 3_600));
    first.ends(4002, "");
    CompletableFuture<Message> sent = scene.room.send("of 17");
    scene.loop.pass(0);
    assertThat(scene.room.state())
        .isEqualTo(
            new State.Stopped(
                "the token names user 42, but 17 joined this room: leave it, and join with"
                    + " another ChatFlow",
                "TOKEN"));
    assertThat(scene.net.lines).hasSize(1);
    assertThat(sent).isCompletedExceptionally();
  }

  /** Pending texts and the resume position belong to the user who had them. */
  @Test
  void nextUserOfTheSameRoomSendsAndResumesNothingOfTheFirst() {
    FakeNet.Line first = enterWith(scene.token("17", 3_600), scene.token("42", 3_600));
    first.says(scene.text("a"));
    first.ends(4002, "");
    CompletableFuture<Message> sent = scene.room.send("my salary is 5000");
    scene.loop.pass(0);
    assertThat(scene.room.leave()).isCompleted();
    RoomClient next = scene.joinAgain();
    next.enter();
    JsonObject join = scene.letIn();
    assertThat(Frames.text(join, "userId")).isEqualTo("42");
    assertThat(join.has("after")).isFalse();
    scene.loop.pass(60_000);
    assertThat(scene.net.lines).hasSize(2);
    assertThat(scene.line().rest()).isEmpty();
    assertThat(sent).isCompletedExceptionally();
    assertThat(next.people().names()).containsOnlyKeys("42");
  }

  @Test
  @SuppressWarnings("NullAway") // as a program without null checks does
  void tokenSupplierThatReturnsNothingIsNamed() {
    Tokens source = new Tokens(() -> null, 0, () -> 0);
    assertThatNullPointerException()
        .isThrownBy(() -> source.get(null))
        .withMessage("the token supplier returned null: return a JWT");
  }

  @Test
  void tokenOfAnotherUserDoesNotTakeOverAConnection() {
    enterWith(scene.token("17", 300), scene.token("42", 600));
    scene.loop.pass(240_000);
    assertThat(scene.net.lines).hasSize(1);
    assertThat(scene.room.state()).isEqualTo(new State.Here("server-1"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 0, 3_600_000})
  void wrongClockHereDoesNotMakeAValidTokenLookExpired(long wrongBy) {
    Scene wrong = new Scene(new RoomClient.Setting("5", null, 0, 0, 3, 500), true, wrongBy);
    wrong.net.answersPings = true;
    wrong.tokens.addAll(List.of(wrong.token("17", 600), wrong.token("17", 1_200)));
    wrong.enter();
    wrong.loop.pass(539_000);
    assertThat(wrong.net.lines).hasSize(1);
    wrong.loop.pass(2_000);
    assertThat(wrong.net.lines).hasSize(2);
  }

  @Test
  void clockThatJumpsEndsNoConnectionAndRenewsNoToken() {
    FakeNet.Line line = enterWith(scene.token("17", 600));
    for (long jump : List.of(3_600_000L, -7_200_000L, 3_600_000L)) {
      scene.loop.wrongBy += jump;
      scene.loop.pass(60_000);
    }
    assertThat(line.closed).isZero();
    assertThat(scene.net.lines).hasSize(1);
  }

  @Test
  void silentServerIsNoticedThoughTheClockWasSetBack() {
    scene.tokens.add(scene.token("17", 600));
    scene.enter();
    scene.loop.wrongBy = -3_600_000;
    scene.loop.pass(30_000);
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
  }

  /** Each is a different one, and all are expired. */
  @Test
  void tokensThatHaveEndedAreAskedForAtMostTwiceAMinute() {
    for (int i = 0; i < 100; i++) {
      scene.tokens.add(scene.token("17", -60));
    }
    scene.room.enter();
    for (int second = 0; second < 600; second++) {
      scene.line().ends(4002, "");
      scene.loop.pass(1_000);
    }
    int before = scene.net.lines.size();
    for (int second = 0; second < 600; second++) {
      scene.line().ends(4002, "");
      scene.loop.pass(1_000);
    }
    assertThat(scene.net.lines.size() - before).isBetween(1, 20);
  }

  @Test
  void tokenForAnyUserNeedsAUser() {
    scene.tokens.add(scene.token("*", 3_600));
    scene.room.enter();
    assertThat(scene.room.state())
        .isEqualTo(
            new State.Stopped("the token names no user: set the user in the options", "TOKEN"));
    scene.tokens.clear();
    Scene none = new Scene(new RoomClient.Setting("5", null, 0, 0, 3, 500), true);
    none.tokens.add("no.jwt");
    none.room.enter();
    assertThat(none.room.state()).isInstanceOf(State.Waiting.class);
  }

  @Test
  void tokenWithoutANameNamesItsUser() {
    Scene scene = new Scene();
    assertThat(User.ofToken(scene.token("17", 60))).isEqualTo(new User("17", "user17"));
    assertThat(User.ofToken(scene.token("ann", 60)).name()).isEqualTo("ann");
    assertThat(User.ofToken(scene.token("auth0|5f7c8ec7c33c6c004bba", 60)).name())
        .isEqualTo("auth0_5f7c8ec7c33c6c");
  }
}
