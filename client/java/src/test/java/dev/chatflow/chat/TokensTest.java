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

/** Tests the user's identity from tokens, and the renewal of tokens. */
class TokensTest {

  private final Scene scene =
      new Scene(new RoomClient.Setting("5", null, "", null, 0, 0, 3, 500), true);

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
  void newConnectionTakesOverAMinuteBeforeExpiryWithoutDuplicates() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    old.serverSends(scene.text("a"));
    scene.loop.pass(240_000);
    assertThat(scene.net.lines).hasSize(2);
    old.serverSends(scene.text("b"));
    scene.takeEvents();
    scene.acceptJoin(scene.text("b"), scene.text("c"));
    assertThat(old.closed).isEqualTo(1000);
    assertThat(scene.events).containsExactly("here server-1", "c");
  }

  @Test
  void failedNewConnectionLeavesTheOldOneOpen() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    scene.loop.pass(240_000);
    scene.takeEvents();
    scene.line().ends(1006, "");
    old.serverSends(scene.text("a"));
    assertThat(scene.events).containsExactly("a");
  }

  @Test
  void closeOfTheSupersededConnectionIsIgnored() {
    FakeNet.Line old = enterWith(scene.token("17", 300), scene.token("17", 600));
    scene.loop.pass(240_000);
    old.ends(4009, "");
    assertThat(scene.room.state()).isEqualTo(new Values.JoiningState());
    scene.acceptJoin();
    assertThat(scene.room.state()).isEqualTo(new Values.HereState("server-1"));
  }

  @Test
  void expiredTokenIsReplacedAtOnceButTheSameTokenAgainStopsTheRoom() {
    String second = scene.token("17", 3_600);
    FakeNet.Line first = enterWith(scene.token("17", 3_600), second);
    first.ends(4002, "");
    scene.loop.pass(0);
    assertThat(scene.line().token).isEqualTo(second);
    scene.acceptJoin();
    scene.line().ends(4002, "");
    scene.loop.pass(60_000);
    assertThat(scene.room.state())
        .isEqualTo(
            new Values.StoppedState(
                "the token has expired, and there is no other", Code.CLOSED, 4002));
  }

  @Test
  void rejectedTokenIsReplacedOnceAndThenStopsTheRoom() {
    FakeNet.Line first =
        enterWith(scene.token("17", 3_600), scene.token("17", 3_600), scene.token("17", 3_600));
    first.ends(4001, "not here");
    scene.loop.pass(0);
    scene.line().ends(4001, "not here");
    assertThat(scene.room.state())
        .isEqualTo(
            new Values.StoppedState("the server rejected this token: not here", Code.CLOSED, 4001));
  }

  @Test
  void unavailableTokenIsRequestedAgain() {
    scene.room.enter();
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
    scene.tokens.add(scene.token("17", 3_600));
    scene.loop.pass(1_000);
    scene.acceptJoin();
    assertThat(scene.room.state()).isEqualTo(new Values.HereState("server-1"));
  }

  @Test
  void tokenOfAnotherUserStopsTheRoomAndNoTextOfTheFirstIsSent() {
    FakeNet.Line first = enterWith(scene.token("17", 3_600), scene.token("42", 3_600));
    first.ends(4002, "");
    CompletableFuture<Message> sent = scene.room.send("of 17");
    scene.loop.pass(0);
    assertThat(scene.room.state())
        .isEqualTo(
            new Values.StoppedState(
                "the token names user 42, but 17 joined this room: leave it, and join with"
                    + " another ChatFlow",
                Code.TOKEN,
                0));
    assertThat(scene.net.lines).hasSize(1);
    assertThat(sent).isCompletedExceptionally();
  }

  /** Pending texts and the resume position belong to the user who sent or received them. */
  @Test
  void nextUserOfARoomInheritsNoTextsAndNoResumePosition() {
    FakeNet.Line first = enterWith(scene.token("17", 3_600), scene.token("42", 3_600));
    first.serverSends(scene.text("a"));
    first.ends(4002, "");
    CompletableFuture<Message> sent = scene.room.send("my salary is 5000");
    scene.loop.pass(0);
    assertThat(scene.room.leave()).isCompleted();
    RoomClient next = scene.joinAgain();
    next.enter();
    JsonObject join = scene.acceptJoin();
    assertThat(Frames.text(join, "userId")).isEqualTo("42");
    assertThat(join.has("after")).isFalse();
    scene.loop.pass(60_000);
    assertThat(scene.net.lines).hasSize(2);
    assertThat(scene.line().rest()).isEmpty();
    assertThat(sent).isCompletedExceptionally();
    assertThat(next.people().names()).containsOnlyKeys("42");
  }

  @Test
  @SuppressWarnings("NullAway") // like a program without null checks
  void tokenSupplierThatReturnsNullIsNamed() {
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
    assertThat(scene.room.state()).isEqualTo(new Values.HereState("server-1"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 0, 3_600_000})
  void wrongLocalClockDoesNotExpireAValidToken(long clockOffset) {
    Scene wrong =
        new Scene(new RoomClient.Setting("5", null, "", null, 0, 0, 3, 500), true, clockOffset);
    wrong.net.answersPings = true;
    wrong.tokens.addAll(List.of(wrong.token("17", 600), wrong.token("17", 1_200)));
    wrong.enter();
    wrong.loop.pass(539_000);
    assertThat(wrong.net.lines).hasSize(1);
    wrong.loop.pass(2_000);
    assertThat(wrong.net.lines).hasSize(2);
  }

  @Test
  void clockJumpEndsNoConnectionAndRenewsNoToken() {
    FakeNet.Line line = enterWith(scene.token("17", 600));
    for (long jump : List.of(3_600_000L, -7_200_000L, 3_600_000L)) {
      scene.loop.clockOffset += jump;
      scene.loop.pass(60_000);
    }
    assertThat(line.closed).isZero();
    assertThat(scene.net.lines).hasSize(1);
  }

  @Test
  void silentServerIsDetectedAfterTheClockWasSetBack() {
    scene.tokens.add(scene.token("17", 600));
    scene.enter();
    scene.loop.clockOffset = -3_600_000;
    scene.loop.pass(30_000);
    assertThat(scene.room.state()).isInstanceOf(State.Waiting.class);
  }

  /** All tokens differ, and all have expired. */
  @Test
  void expiredTokensAreRequestedAtMostTwiceAMinute() {
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
            new Values.StoppedState(
                "the token names no user: set the user in the options", Code.TOKEN, 0));
    scene.tokens.clear();
    Scene none = new Scene(new RoomClient.Setting("5", null, "", null, 0, 0, 3, 500), true);
    none.tokens.add("no.jwt");
    none.room.enter();
    assertThat(none.room.state()).isInstanceOf(State.Waiting.class);
  }

  @Test
  void tokenWithoutANameNamesItsUser() {
    Scene scene = new Scene();
    assertThat(Values.userOfToken(scene.token("17", 60)))
        .isEqualTo(new Values.UserValue("17", "17"));
    assertThat(Values.userOfToken(scene.token("ann", 60)).name()).isEqualTo("ann");
    assertThat(Values.userOfToken(scene.token("auth0|5f7c8ec7c33c6c004bba", 60)).name())
        .isEqualTo("auth0|5f7c8ec7c33c6c004bba");
  }
}
