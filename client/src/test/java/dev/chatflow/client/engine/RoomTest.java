package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.MessageTemplate;
import dev.chatflow.client.verify.Stamps;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the combined deliveries of a room's members. */
final class RoomTest {
  private static final String TEXT = "TEXT";

  private static TestPlan trio() {
    return new TestPlan().rooms(1, 3).texts(4).pacing(Pacing.closed(1));
  }

  private static Scene sent(TestPlan plan) {
    Scene scene = new Scene(plan).joined();
    scene.users().forEach(User::pump);
    scene.pass(50);
    return scene;
  }

  private static boolean isTextOf(JsonObject json, String user) {
    return json.get("messageType").getAsString().equals(TEXT)
        && json.get("userId").getAsString().equals(user);
  }

  @Test
  void copiesAreMeasuredFromTheWriteAndTheLastOneEndsTheFanOut() {
    Scene scene = sent(trio());
    assertThat(scene.count(Count.TEXT_DELIVERIES)).isEqualTo(3 * 4 * 3);
    assertThat(scene.series(Series.DELIVERY).getTotalCount()).isEqualTo(36);
    assertThat(scene.series(Series.ECHO).getTotalCount()).isEqualTo(12);
    assertThat(scene.series(Series.FANOUT).getTotalCount()).isEqualTo(12);
    assertThat(scene.series(Series.SKEW).getTotalCount()).isEqualTo(12);
    assertThat(scene.series(Series.DELIVERY_SAME).getTotalCount()).as("one server").isZero();
  }

  @Test
  void responseTimesAreMeasuredInTheOpenModel() {
    Scene scene = new Scene(trio().pacing(Pacing.open(100, Pacing.UNBOUNDED, false))).joined();
    scene.pass(100);
    scene.user(0).sender().release(scene.context.now() - 20_000_000);
    scene.user(0).pump();
    scene.pass(5);
    var response = scene.context.recorder.active().of(Series.DELIVERY, Clock.RESPONSE);
    assertThat(response.getMinValue()).isGreaterThanOrEqualTo(20_000);
    assertThat(scene.series(Series.DELIVERY).getMaxValue()).isLessThan(5_000);
  }

  @Test
  void roomIsDrainedWhenEveryCopyOfItsTextsHasArrived() {
    Scene scene = new Scene(trio()).joined();
    scene.chat.latency(100_000_000);
    scene.users().forEach(User::pump);
    scene.enter(Phase.DRAIN);
    assertThat(scene.room.isDrained(scene.context.now())).isFalse();
    scene.pass(99);
    assertThat(scene.room.isDrained(scene.context.now())).isFalse();
    scene.pass(10);
    assertThat(scene.room.isDrained(scene.context.now())).isTrue();
  }

  @Test
  void refusedTextsAreNotAwaited() {
    Scene scene = new Scene(trio()).joined();
    scene.chat.refuse(json -> isTextOf(json, "2"));
    scene.users().forEach(User::pump);
    scene.pass(50);
    scene.enter(Phase.DRAIN);
    assertThat(scene.room.isDrained(scene.context.now())).isTrue();
    assertThat(scene.count(Count.REJECTED)).isEqualTo(4);
    assertThat(scene.room.senders().map(SenderFigures::refused)).containsExactly(0L, 4L, 0L);
  }

  @Test
  void roomWithALostMemberIsDrainedAfterASecondWithoutDeliveries() {
    Scene scene = new Scene(trio()).joined();
    scene.users().forEach(User::pump);
    scene.connectionOf(2).end(1000, "bye");
    scene.pass(900);
    assertThat(scene.room.isDrained(scene.context.now())).isFalse();
    scene.pass(300);
    assertThat(scene.room.isDrained(scene.context.now())).isTrue();
  }

  @Test
  void messageOfAnUnknownSenderIsMisrouted() {
    Scene scene = sent(trio());
    scene.connectionOf(0).receive(frameOf(scene, 2_000));
    assertThat(scene.context.findings.count(Defect.MISROUTED)).isEqualTo(1);
  }

  @Test
  void framesForAUserThatClosesBeforeItsJoinArrivesAreNotMisrouted() {
    Scene scene = new Scene(trio().reconnecting()).joined();
    scene.connectionOf(0).end(1006, "cut");
    while (scene.user(0).state() != UserState.RETURN_JOINING) {
      scene.pass(1);
    }
    scene.user(0).close(scene.context.now());
    shown(scene, 0, 0, 0);
    shown(scene, 0, 1, 0);
    assertThat(scene.context.findings.isClean(Set.of())).isTrue();
  }

  @Test
  void framesForAUserThatClosesAfterItsLeaveAreMisrouted() {
    Scene scene = new Scene(trio()).joined();
    scene.user(0).writeLeave(UserState.Event.LEAVE, scene.context.now());
    scene.pass(10);
    scene.user(0).close(scene.context.now());
    shown(scene, 0, 1, 0);
    assertThat(scene.context.findings.count(Defect.MISROUTED)).isOne();
  }

  /** Returns part 1 of 2, which runs users 0 and 1 of the room but not 2 and 3. */
  private static Scene firstPart() {
    return new Scene(new TestPlan().rooms(1, 4).texts(2).part(1, 2)).joined();
  }

  private static void shown(Scene scene, int roomIndex, int sender, int seq) {
    scene.connectionOf(roomIndex).receive(frameOf(scene, sender, seq));
  }

  @Test
  void textsOfOtherPartsAreExpectedOnceAndInOneOrder() {
    Scene scene = firstPart();
    for (int roomIndex = 0; roomIndex < 2; roomIndex++) {
      shown(scene, roomIndex, 2, 1);
      shown(scene, roomIndex, 3, 1);
      shown(scene, roomIndex, 2, 2);
    }
    scene.room.settle();
    assertThat(scene.context.findings.isClean(Set.of())).isTrue();
    assertThat(scene.count(Count.OTHER_PARTS)).isEqualTo(6);
    assertThat(scene.series(Series.DELIVERY).getTotalCount()).as("no send times").isZero();
    shown(scene, 0, 3, 1);
    assertThat(scene.context.findings.count(Defect.DUPLICATE)).isOne();
  }

  @Test
  void skippedTextOfAnotherPartIsLost() {
    Scene scene = firstPart();
    shown(scene, 0, 2, 1);
    shown(scene, 0, 2, 2);
    shown(scene, 1, 2, 2);
    scene.room.settle();
    assertThat(scene.context.findings.count(Defect.LOST)).isOne();
    assertThat(scene.context.findings.examples(Defect.LOST).getFirst().receiver()).isOne();
  }

  @Test
  void differentOrderOfTextsOfOtherPartsIsDivergent() {
    Scene scene = firstPart();
    shown(scene, 0, 2, 1);
    shown(scene, 0, 3, 1);
    shown(scene, 1, 3, 1);
    shown(scene, 1, 2, 1);
    assertThat(scene.context.findings.count(Defect.DIVERGENT)).isOne();
  }

  @Test
  void roomIsDrainedWhenTheLastTextsOfOtherPartsHaveArrived() {
    Scene scene = firstPart();
    scene.users().forEach(User::pump);
    scene.pass(50);
    scene.enter(Phase.DRAIN);
    for (int roomIndex = 0; roomIndex < 2; roomIndex++) {
      shown(scene, roomIndex, 2, 2);
    }
    assertThat(scene.room.isDrained(scene.context.now())).isFalse();
    for (int roomIndex = 0; roomIndex < 2; roomIndex++) {
      shown(scene, roomIndex, 3, 2);
    }
    assertThat(scene.room.isDrained(scene.context.now())).isTrue();
  }

  private static String frameOf(Scene scene, int sender) {
    return frameOf(scene, sender, 1);
  }

  /** Returns a frame of a user that this part does not run. */
  private static String frameOf(Scene scene, int sender, int seq) {
    String run = scene.context.plan.runId();
    MessageTemplate template =
        new MessageTemplate(
            MessageTemplate.Kind.TEXT,
            run,
            scene.context.texts,
            new MessageTemplate.Author(sender, "1", "user" + sender),
            "");
    byte[] json = new byte[template.length(seq)];
    template.write(json, 0, seq, 1, new Stamps(run));
    return new String(json, StandardCharsets.US_ASCII);
  }

  @Test
  void corruptTextStillCountsAsTheAnswerToItsSender() {
    Scene scene = new Scene(trio().texts(1)).joined();
    scene.chat.changeFrames((_, frame) -> List.of(frame.replaceFirst("[a-z]([.!?]\")", "X$1")));
    scene.user(0).pump();
    scene.pass(5);
    assertThat(scene.context.findings.count(Defect.CORRUPT)).isEqualTo(3);
    assertThat(scene.user(0).sender().inFlight()).isZero();
  }

  @Test
  void missingCopiesAreFoundWhenTheRoomIsSettled() {
    Scene scene = new Scene(trio()).joined();
    scene.chat.changeFrames(
        (roomIndex, frame) -> roomIndex == 2 && frame.contains(TEXT) ? List.of() : List.of(frame));
    scene.users().forEach(User::pump);
    scene.pass(50);
    scene.room.settle();
    assertThat(scene.context.findings.count(Defect.LOST)).isEqualTo(4 + 4 + 1);
    assertThat(scene.context.findings.examples(Defect.LOST))
        .allSatisfy(example -> assertThat(example.receiver()).isEqualTo(2));
  }

  @Test
  void differentOrdersAreFoundAtLevelTotalOrder() {
    for (Judging.Level level : List.of(Judging.Level.EXACTLY_ONCE, Judging.Level.TOTAL_ORDER)) {
      Scene scene = new Scene(trio().texts(1).level(level)).joined();
      scene.chat.changeFrames(new FirstTwoSwapped());
      scene.users().forEach(User::pump);
      scene.pass(50);
      scene.room.settle();
      long expected = level == Judging.Level.TOTAL_ORDER ? 1 : 0;
      assertThat(scene.context.findings.count(Defect.DIVERGENT))
          .as("%s", level)
          .isEqualTo(expected);
    }
  }

  /** Swaps the first two texts of the last member. */
  private static final class FirstTwoSwapped implements VirtualChat.FrameChange {
    private final Deque<String> kept = new ArrayDeque<>();
    private boolean done;

    @Override
    public List<String> frames(int roomIndex, String frame) {
      if (roomIndex != 2 || done || !frame.contains(TEXT)) {
        return List.of(frame);
      }
      kept.addFirst(frame);
      done = kept.size() == 2;
      return done ? List.copyOf(kept) : List.of();
    }
  }

  @Test
  void figuresCoverTheRoomItsConnectionsAndSenders() {
    Scene scene = sent(trio());
    RoomFigures room = scene.room.figures();
    assertThat(room.room()).isEqualTo(1);
    assertThat(room.users()).isEqualTo(3);
    assertThat(room.sent()).isEqualTo(12);
    assertThat(room.accepted()).isEqualTo(12);
    assertThat(room.delivered()).isEqualTo(36);
    assertThat(room.throughput()).isPositive();
    assertThat(room.medianEchoMillis()).isBetween(0.9, 3.0);
    assertThat(room.meanEchoMillis()).isBetween(0.9, 3.0);
    assertThat(scene.room.connections().map(ConnectionFigures::received))
        .containsExactly(12L, 12L, 12L);
    assertThat(scene.room.senders())
        .containsExactly(
            new SenderFigures(1, "1", "user0", 1, 4, 0, 0, 0),
            new SenderFigures(1, "2", "user1", 1, 4, 0, 0, 0),
            new SenderFigures(1, "3", "user2", 1, 4, 0, 0, 0));
  }

  @Test
  void messagesAreListedWithTheirAnswers() {
    Scene scene = new Scene(trio().level(Judging.Level.OFF)).joined();
    scene.chat.swallow(json -> isTextOf(json, "2"));
    scene.users().forEach(User::pump);
    scene.pass(50);
    List<MessageFigures> all = new ArrayList<>();
    scene.users().forEach(user -> user.member().messages(all::add));
    assertThat(all.stream().filter(one -> one.type().equals("JOIN"))).hasSize(3);
    assertThat(all.stream().filter(one -> one.type().equals(TEXT))).hasSize(4 + 1 + 4);
    assertThat(all.stream().filter(one -> !one.isAccepted()))
        .singleElement()
        .satisfies(lost -> assertThat(lost.sender()).isEqualTo(1));
  }
}
