package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests complete runs that also send signals. */
final class SignalRunTest {
  private static final long MILLI = 1_000_000L;
  private static final String SIGNAL = "\"messageType\":\"SIGNAL\"";

  private final VirtualChat chat = new VirtualChat();
  private final List<String> held = new ArrayList<>();

  private static TestPlan room() {
    return new TestPlan()
        .rooms(2, 4)
        .lasting(Duration.ofSeconds(4))
        .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
        .extras(new Extras(10, 1, 0));
  }

  /** Changes the copies of one member. */
  private void change(VirtualChat.FrameChange change) {
    chat.changeFrames((index, frame) ->
        index == 1 && frame.contains(SIGNAL) ? change.frames(index, frame) : List.of(frame));
  }

  @Test
  void membersOfEachRoomSendSignalsByTurnsAtTheRate() throws InterruptedException {
    List<String> senders = new ArrayList<>();
    chat.refuse(json -> {
      boolean signal = VirtualChat.type("SIGNAL").test(json);
      if (signal && json.get("username").getAsString().matches("user[0-3]")) {
        senders.add(json.get("userId").getAsString());
        assertThat(json.get("kind").getAsString()).isEqualTo("load");
      }
      return false;
    });
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.SIGNALS_WRITTEN)).isBetween(78L, 82L);
    assertThat(run.count(Count.SIGNAL_DELIVERIES))
        .isEqualTo(4 * run.count(Count.SIGNALS_WRITTEN))
        .isEqualTo(run.count(Count.SIGNAL_COPIES_EXPECTED));
    assertThat(senders.subList(0, 6)).containsExactly("1", "2", "3", "4", "1", "2");
    assertThat(run.series(Series.SIGNAL, Clock.SERVICE).getMaxValue())
        .as("from the due time, which the thread does not miss by a tick")
        .isBetween(900L, 3_000L);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void runsWithoutSignalsSendNone() throws InterruptedException {
    VirtualRun run = VirtualRun.of(room().extras(Extras.NONE), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(chat.received()).doesNotContain("SIGNAL");
    assertThat(run.count(Count.SIGNALS_WRITTEN)).isZero();
  }

  @Test
  void missingSignalsAreCountedAndNoDefect() throws InterruptedException {
    change((_, frame) -> held.size() < 5 && held.add(frame) ? List.of() : List.of(frame));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(missing(run)).isEqualTo(5);
  }

  @Test
  void repeatedSignalIsADuplicate() throws InterruptedException {
    change(
        (_, frame) -> held.isEmpty() && held.add(frame) ? List.of(frame, frame) : List.of(frame));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.found(Defect.DUPLICATE)).isEqualTo(1);
    assertThat(missing(run)).isZero();
  }

  @Test
  void signalAfterALaterOneOfItsSenderIsReordered() throws InterruptedException {
    change((_, frame) -> {
      if (!isOfUser(frame, 2)) {
        return List.of(frame);
      }
      held.add(frame);
      return held.size() == 1 ? List.of() : held.size() == 2 ? held.reversed() : List.of(frame);
    });
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.found(Defect.REORDERED)).isEqualTo(1);
  }

  private static boolean isOfUser(String frame, int user) {
    return frame.contains("\"userId\":\"" + user + "\"");
  }

  @Test
  void changedSignalIsCorrupt() throws InterruptedException {
    change((_, frame) -> List.of(frame.replaceFirst("(~.{35}).", "$1_")));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.found(Defect.CORRUPT)).isBetween(38L, 41L);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void rejectedSignalsAreNeitherMissingNorFailures() throws InterruptedException {
    int[] signals = {0};
    chat.refuse(json -> VirtualChat.type("SIGNAL").test(json) && signals[0]++ % 10 == 0);
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.REJECTED)).isBetween(8L, 9L);
    assertThat(run.count(Count.TEXTS_UNSENT)).isZero();
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(run.count(Count.TEXTS_WRITTEN));
    assertThat(missing(run)).isZero();
  }

  @Test
  void returningMemberNeverNamesASignal() throws InterruptedException {
    List<JsonObject> named = new ArrayList<>();
    chat.remember();
    chat.refuse(json -> json.has("after") && !named.add(json.getAsJsonObject("after")));
    chat.after(2_000 * MILLI, () -> chat.open().get(1).end(1001, "reconnect after 300 ms"));
    VirtualRun run = VirtualRun.of(room().extras(new Extras(500, 1, 0)).resuming(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
    assertThat(named).hasSize(1);
    assertThat(named.getFirst().get("messageType").getAsString()).isEqualTo("TEXT");
  }

  @Test
  void signalBeforeAReturningMembersJoinIsMisrouted() throws InterruptedException {
    chat.remember();
    chat.changeFrames((_, frame) -> {
      if (frame.contains(SIGNAL)) {
        held.add(frame);
      }
      return List.of(frame);
    });
    chat.changePasts(past -> {
      List<String> changed = new ArrayList<>(past);
      if (past.size() > 1) {
        changed.add(held.getLast());
      }
      return changed;
    });
    chat.after(2_000 * MILLI, () -> chat.open().get(1).end(1001, "reconnect after 300 ms"));
    VirtualRun run = VirtualRun.of(room().resuming(), chat);
    assertThat(run.found(Defect.MISROUTED)).isEqualTo(1);
  }

  @Test
  void signalsOfOtherClientsAreForeign() throws InterruptedException {
    change((_, frame) -> List.of(frame, frame.replace("~ab12", "~zz99")));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.FOREIGN_FRAMES)).isBetween(38L, 41L);
  }

  private static long missing(VirtualRun run) {
    return run.count(Count.SIGNAL_COPIES_EXPECTED) - run.count(Count.SIGNAL_DELIVERIES);
  }
}
