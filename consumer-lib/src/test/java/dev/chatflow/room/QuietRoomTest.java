package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A JOIN or LEAVE of a large room is shown only to its own connection, at its position. */
class QuietRoomTest {

  private final RoomScene scene = new RoomScene(1 << 20, 8 << 10, Duration.ofSeconds(15));
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");

  @Test
  void otherMembersAreNotShownIt() {
    scene.join("5", 1, "a", a);
    scene.joinQuietly("5", 2, "b", b);
    scene.say("5", 1, "hello");
    scene.leaveQuietly("5", 2, "b");
    scene.say("5", 1, "after");
    scene.runAll();

    assertThat(a.texts()).containsExactly("JOIN 1 a", "hello", "after");
    assertThat(b.texts()).containsExactly("JOIN 2 b", "hello", "LEAVE 2 b");
    assertThat(scene.room("5").memberCount()).isEqualTo(1);
    scene.tick();
    assertThat(scene.room("5").memberCount()).isEqualTo(1);
  }

  @Test
  void itIsAfterThePastAndBeforeLaterFrames() {
    scene.say("5", 1, "one");
    scene.say("5", 1, "two");
    b.asking(new Past(null, 10));
    b.sink().hold();
    scene.joinQuietly("5", 2, "b", b);
    scene.say("5", 1, "three");
    scene.runAll();
    assertThat(b.enteredAt()).as("the past is in flight").isEqualTo(-1);

    b.sink().release();
    scene.runAll();
    assertThat(b.texts()).containsExactly("one", "two", "JOIN 2 b", "three");
    assertThat(b.enteredAt()).isEqualTo(3);
  }

  @Test
  void leaveIsAfterTheShownFramesAndBeforeTheNextMembership() {
    b.sink().hold();
    scene.joinQuietly("5", 2, "b", b);
    scene.runAll();
    scene.say("5", 1, "one");
    scene.runAll();
    scene.leaveQuietly("5", 2, "b");
    scene.say("5", 1, "unseen");
    scene.joinQuietly("5", 2, "b", b);
    scene.say("5", 1, "two");
    scene.runAll();

    b.sink().release();
    scene.runAll();
    assertThat(b.texts()).containsExactly("JOIN 2 b", "one", "LEAVE 2 b", "JOIN 2 b", "two");
  }

  @Test
  void laterMembersDoNotSeeIt() {
    scene.joinQuietly("5", 2, "b", b);
    scene.say("5", 2, "one");
    a.asking(new Past(null, 10));
    scene.join("5", 1, "a", a);
    scene.runAll();
    assertThat(a.texts()).containsExactly("one", "JOIN 1 a");
  }
}
