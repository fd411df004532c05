package dev.chatflow.lab.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.lab.driver.Saying;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server leaves out, repeats or does not resume is seen, without a server. */
class ListenerTest {
  private static final String SERVER = "ws://127.0.0.1:1/chat";

  private final Audience audience =
      new Audience(new Layout(0, 5, 1, 1, SERVER, List.of(SERVER)), /* patienceSeconds= */ 1);
  private final Talk talk = new Talk(1);
  private final Listener listener =
      new Listener(audience, talk, URI.create(SERVER + "/5"), /* user= */ 17);

  @AfterEach
  void close() {
    audience.close();
  }

  private void shown(String frame) {
    byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
    listener.text(bytes, 0, bytes.length);
  }

  private void join(int user) {
    shown(
        "{\"messageType\":\"JOIN\",\"roomId\":\"5\",\"userId\":\"%d\",\"username\":\"user\"}"
            .formatted(user));
  }

  private void text(int number) {
    byte[] saying = Saying.of(0, 40);
    Saying.stamp(saying, 0, number, System.nanoTime());
    shown(
        "{\"messageType\":\"TEXT\",\"roomId\":\"5\",\"message\":\"%s\"}"
            .formatted(new String(saying, StandardCharsets.US_ASCII)));
  }

  private void enter() {
    listener.opened();
    join(17);
  }

  private void comeBack() {
    listener.closed(1001, "reconnect after 5 ms");
    listener.opened();
  }

  @Test
  void onlyItsOwnJoinLetsItIn() {
    listener.opened();
    join(171);
    assertThat(audience.tally().in()).isZero();
    join(17);
    join(18);
    assertThat(audience.tally().in()).isEqualTo(1);
    assertThat(audience.tally().others()).isEqualTo(2);
  }

  @Test
  void whatIsPassedOverIsMissingAndWhatComesAgainIsRepeated() {
    enter();
    text(0);
    text(3);
    text(3);
    Tally tally = audience.tally();
    assertThat(List.of(tally.heard(), tally.missing(), tally.repeated()))
        .isEqualTo(List.of(2L, 2L, 1L));
  }

  @Test
  void whoComesBackIsShownWhatHeNamedAndWhatHeMissed() {
    enter();
    text(0);
    comeBack();
    text(0);
    text(1);
    text(2);
    join(17);
    text(3);
    Tally tally = audience.tally();
    assertThat(List.of(tally.resumed(), tally.notResumed(), tally.caughtUp(), tally.heard()))
        .isEqualTo(List.of(1L, 0L, 2L, 4L));
    assertThat(tally.missing() + tally.repeated()).isZero();
  }

  /** Its own JOIN is under way already: a second one would be refused. */
  @Test
  void aTimeFromAnEarlierConnectionDoesNotJoinAgain() {
    enter();
    text(0);
    comeBack();
    text(0);
    listener.act();
    text(1);
    assertThat(audience.tally().resumed()).isEqualTo(1);
    assertThat(audience.tally().notResumed()).isZero();
  }

  @Test
  void whoIsShownSomethingElseFirstIsNotResumed() {
    enter();
    text(0);
    comeBack();
    text(2);
    assertThat(audience.tally().notResumed()).isEqualTo(1);
    assertThat(audience.tally().missing()).isEqualTo(1);
    comeBack();
    join(17);
    assertThat(audience.tally().notResumed()).isEqualTo(2);
  }

  @Test
  void aRestartIsNoFailureAndAnyOtherCloseIs() {
    listener.opened();
    listener.closed(4003, "no JOIN in time");
    enter();
    comeBack();
    assertThat(audience.tally().failure()).isEmpty();
    listener.closed(4008, "slow");
    assertThat(audience.tally().failure()).isEqualTo("closed 4008 slow");
  }

  @Test
  void aJoinThatIsPutOffIsNoFailureAndAnyOtherErrorIs() {
    listener.opened();
    shown("{\"status\":503,\"errorCode\":\"SERVICE_UNAVAILABLE\",\"retryAfterMs\":1000}");
    assertThat(audience.tally().refused()).isEqualTo(1);
    assertThat(audience.tally().failure()).isEmpty();
    shown("{\"status\":409,\"errorCode\":\"NOT_JOINED\"}");
    assertThat(audience.tally().failure()).contains("NOT_JOINED");
  }

  @Test
  void listenersAreSpreadOverServersByRoomOrOfFewRoomsByMember() {
    Layout byRoom = new Layout(0, 10, 4, 2, SERVER, List.of("ws://a", "ws://b"));
    assertThat(byRoom.uri(1)).hasToString("ws://b/11").isEqualTo(byRoom.uri(5));
    Layout one = new Layout(0, 10, 1, 4, SERVER, List.of("ws://a", "ws://b"));
    assertThat(one.uri(2)).hasToString("ws://a/10");
    assertThat(one.uri(3)).hasToString("ws://b/10");
  }
}
