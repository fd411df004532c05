package dev.chatflow.shard.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.fanout.ManualFanOut;
import dev.chatflow.room.log.FrameName;
import dev.chatflow.room.log.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PastDeskTest {

  private static final RoomId ROOM = new RoomId("5");
  private static final FrameName UNKNOWN = new FrameName("TEXT", "1", "m", "2026", 0);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Rooms rooms =
      new Rooms(
          new RoomsConfig(4, 4 << 20, 64 << 20, 1 << 20, 256 << 10, Duration.ofSeconds(15)),
          new ManualFanOut().fanOut());
  private boolean attached = true;
  private final PastDesk desk = new PastDesk(rooms, _ -> attached);

  private void say(String text) {
    Payload payload = new Payload(text.getBytes(StandardCharsets.UTF_8));
    rooms.room(ROOM).show(new RoomEvent.Said(payload), null);
  }

  @Test
  void answersWithWhatTheRoomKeeps() {
    say("one");
    say("two");
    CompletableFuture<PastAnswer> answer = desk.ask(ROOM, 5, null, 0);
    assertThat(answer).isNotDone();

    assertThat(desk.step(0)).isGreaterThan(60 * SECOND);
    assertThat(answer).isCompletedWithValue(new PastAnswer.Told(List.of("one", "two")));
  }

  @Test
  void unknownFrameIsSaid() {
    say("one");
    CompletableFuture<PastAnswer> answer = desk.ask(ROOM, 5, UNKNOWN, 0);

    long _ = desk.step(0);
    assertThat(answer).isCompletedWithValue(new PastAnswer.NotFound());
  }

  @Test
  void waitsForTheShardForTwoSeconds() {
    attached = false;
    CompletableFuture<PastAnswer> early = desk.ask(ROOM, 5, null, 0);
    CompletableFuture<PastAnswer> late = desk.ask(ROOM, 5, null, SECOND);

    assertThat(desk.step(SECOND)).isLessThan(SECOND);
    assertThat(early).isNotDone();
    assertThat(desk.step(2 * SECOND)).isLessThan(SECOND);
    assertThat(early).isCompletedWithValue(new PastAnswer.NotNow("the broker is away"));
    attached = true;
    long _ = desk.step(2 * SECOND);
    assertThat(late).isCompletedWithValue(new PastAnswer.Told(List.of()));
  }

  @Test
  void questionsBeyondTheBoundAreRefusedAtOnce() {
    attached = false;
    for (int i = 0; i < PastDesk.MAX_QUESTIONS; i++) {
      assertThat(desk.ask(ROOM, 5, null, 0)).isNotDone();
    }

    assertThat(desk.ask(ROOM, 5, null, 0))
        .isCompletedWithValue(new PastAnswer.NotNow("too many questions are waiting"));
  }
}
