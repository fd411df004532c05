package dev.chatflow.lab.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that repeated messages and failed resumes are detected. Needs no server. */
class MemberTest {
  private static final String SERVER = "ws://127.0.0.1:1";

  /** Plans one speaker per room. Tests run only one of its members, so no message reaches all. */
  private static Plan plan(int rooms, int members, String... servers) {
    return new Plan(Wires.of("chatflow"), List.of(servers), null, 0, 5, rooms, members, 1, 40);
  }

  private final Plan plan = plan(1, 2, SERVER);
  private final Crowd crowd = new Crowd(plan, /* patienceSeconds= */ 1);
  private final Talk talk = new Talk(plan);
  private final Member member = new Member(crowd, plan, talk, 1);

  @AfterEach
  void close() {
    crowd.close();
  }

  private void shown(String frame) {
    byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
    member.text(bytes, 0, bytes.length);
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
    member.opened();
    join(1001);
  }

  private void reconnect() {
    member.closed(1001, "reconnect after 5 ms");
    member.opened();
  }

  @Test
  void onlyItsOwnJoinMakesAClientAMember() {
    member.opened();
    join(10011);
    assertThat(crowd.tally().in()).isZero();
    join(1001);
    join(1000);
    assertThat(crowd.tally().in()).isEqualTo(1);
    assertThat(crowd.tally().others()).isEqualTo(2);
  }

  @Test
  void secondCopyOfAMessageCountsAsRepeated() {
    enter();
    text(0);
    text(3);
    text(3);
    Tally tally = crowd.tally();
    assertThat(member.taken()).isEqualTo(2);
    assertThat(member.receipts().repeated()).isEqualTo(1);
    assertThat(tally.failure()).isEmpty();
  }

  @Test
  void resumedMemberReceivesTheNamedAndTheMissedMessages() {
    enter();
    text(0);
    reconnect();
    text(0);
    text(1);
    text(2);
    join(1001);
    text(3);
    Tally tally = crowd.tally();
    assertThat(List.of(tally.resumed(), tally.notResumed(), tally.caughtUp()))
        .isEqualTo(List.of(1L, 0L, 2L));
    assertThat(member.taken()).isEqualTo(4);
    assertThat(member.receipts().repeated()).isZero();
  }

  /** Its JOIN is already in flight: a second one would be refused. */
  @Test
  void timerOfAnEarlierConnectionDoesNotJoinAgain() {
    enter();
    text(0);
    reconnect();
    text(0);
    member.act();
    text(1);
    assertThat(crowd.tally().resumed()).isEqualTo(1);
    assertThat(crowd.tally().notResumed()).isZero();
  }

  @Test
  void memberThatReceivesAnotherMessageFirstIsNotResumed() {
    enter();
    text(0);
    reconnect();
    text(2);
    assertThat(crowd.tally().notResumed()).isEqualTo(1);
    reconnect();
    join(1001);
    assertThat(crowd.tally().notResumed()).isEqualTo(2);
  }

  @Test
  void closeForARestartIsNotAFailureButOthersAre() {
    member.opened();
    member.closed(4003, "no JOIN in time");
    enter();
    reconnect();
    assertThat(crowd.tally().failure()).isEmpty();
    member.closed(4008, "slow");
    assertThat(crowd.tally().failure()).isEqualTo("closed 4008 slow");
  }

  @Test
  void postponedJoinIsNotAFailureButOtherErrorsAre() {
    member.opened();
    shown("{\"status\":503,\"errorCode\":\"SERVICE_UNAVAILABLE\",\"retryAfterMs\":1000}");
    assertThat(crowd.tally().refused()).isEqualTo(1);
    assertThat(crowd.tally().failure()).isEmpty();
    shown("{\"status\":409,\"errorCode\":\"NOT_JOINED\"}");
    assertThat(crowd.tally().failure()).contains("NOT_JOINED");
  }

  @Test
  void membersAreSpreadOverServersByRoomOrInFewRoomsByMember() {
    Plan byRoom = plan(4, 2, "ws://a", "ws://b");
    assertThat(byRoom.serverOf(1)).hasToString("ws://b").isEqualTo(byRoom.serverOf(5));
    Plan one = plan(1, 4, "ws://a", "ws://b");
    assertThat(one.serverOf(2)).hasToString("ws://a");
    assertThat(one.serverOf(3)).hasToString("ws://b");
  }
}
