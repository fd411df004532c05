package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A signal is shown to the members of the moment, at its place, and to no later member. */
class RoomSignalTest {

  private final RoomScene scene = new RoomScene(1 << 20, 8 << 10, Duration.ofSeconds(15));
  private final FakeMember a = new FakeMember("a");
  private final FakeMember b = new FakeMember("b");

  @Test
  void membersGetItBetweenTheMessagesBeforeAndAfterIt() {
    scene.join("5", 1, "a", a);
    scene.runAll();
    scene.signal("5", "s1");
    scene.say("5", 1, "one");
    scene.signal("5", "s2");
    scene.signal("5", "s3");
    scene.say("5", 1, "two");
    scene.signal("5", "s4");
    scene.runAll();

    List<String> all = List.of("JOIN 1 a", "s1", "one", "s2", "s3", "two", "s4");
    assertThat(a.texts()).isEqualTo(all);
    assertThat(a.sink().bytes()).as("the same as frames").isEqualTo(frames(all));
    assertThat(a.sink().writes()).isEqualTo(2);
    assertThat(scene.rounds().fanOut().deliveries()).isEqualTo(7);
  }

  private static byte[] frames(List<String> texts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    texts.forEach(text -> all.writeBytes(Frame.text(text.getBytes(UTF_8)).array()));
    return all.toByteArray();
  }

  @Test
  void itIsWrittenAloneIfNothingElseIsDue() {
    scene.join("5", 1, "a", a);
    scene.runAll();
    scene.signal("5", "s1");
    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "s1");
  }

  @Test
  void laterMembersDoNotGetIt() {
    scene.join("5", 1, "a", a);
    scene.say("5", 1, "one");
    scene.signal("5", "s1");
    scene.say("5", 1, "two");
    b.asking(new Past(null, 10));
    scene.join("5", 2, "b", b);
    scene.signal("5", "s2");
    scene.runAll();
    assertThat(b.texts()).containsExactly("JOIN 1 a", "one", "two", "JOIN 2 b", "s2");
    assertThat(scene.room("5").textsBefore(10, null)).doesNotContain("s1", "s2");
  }

  @Test
  void memberThatHasLeftDoesNotGetIt() {
    scene.join("5", 1, "a", a);
    scene.join("5", 2, "b", b);
    scene.leave("5", 1, "a");
    scene.signal("5", "s1");
    scene.runAll();
    assertThat(a.texts()).doesNotContain("s1");
    assertThat(b.texts()).endsWith("s1");
  }

  @Test
  void memberOfALargeRoomGetsItAfterItsOwnJoin() {
    b.sink().hold();
    scene.say("5", 1, "one");
    b.asking(new Past(null, 10));
    scene.joinQuietly("5", 2, "b", b);
    scene.signal("5", "s1");
    scene.runAll();
    b.sink().release();
    scene.runAll();
    assertThat(b.texts()).containsExactly("one", "JOIN 2 b", "s1");
  }

  @Test
  void slowMemberMissesAllButTheNewestAndTheyAreCounted() {
    scene.join("5", 1, "a", a);
    scene.runAll();
    a.sink().hold();
    scene.say("5", 1, "one");
    scene.runAll();
    IntStream.range(0, 70).forEach(n -> scene.signal("5", "s" + n));
    scene.runAll();
    a.sink().release();
    scene.runAll();
    assertThat(a.texts()).hasSize(2 + Signals.MAX).endsWith("s68", "s69").doesNotContain("s5");
    assertThat(scene.rounds().fanOut().missedSignals()).isEqualTo(6);
  }

  @Test
  void itIsRemovedAfterTwoSeconds() {
    scene.join("5", 1, "a", a);
    scene.runAll();
    a.sink().hold();
    scene.say("5", 1, "one");
    scene.runAll();
    scene.signal("5", "old");
    scene.tickAfter(Duration.ofMillis(2_001));
    scene.signal("5", "new");
    a.sink().release();
    scene.runAll();
    assertThat(a.texts()).containsExactly("JOIN 1 a", "one", "new");
    assertThat(scene.rounds().fanOut().missedSignals()).isEqualTo(1);
  }

  @Test
  void roomWithoutMembersKeepsNone() {
    scene.signal("5", "s1");
    assertThat(scene.rooms().all()).isEmpty();
    scene.say("5", 1, "one");
    scene.signal("5", "s2");
    scene.tick();
    assertThat(scene.room("5").isSettled()).isTrue();
  }
}
