package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The frames that a member gets from before its JOIN. */
class PastTest {

  private static final int SHARE = 256 << 10;
  private static final int PAST = 16 << 10;
  private static final String TIME = "2026-11-20T18:46:00.125Z";

  private final RoomScene scene = new RoomScene(SHARE, PAST, Duration.ofSeconds(15));

  private static FrameName name(int number) {
    return new FrameName("TEXT", "1", "id-" + number, TIME, 0);
  }

  private static String text(int number) {
    return ("{'messageType':'TEXT','roomId':'5','userId':'1','username':'user1','message':'hi',"
            + "'timestamp':'-','messageId':'id-%d','serverTimestamp':'%s','serverId':'s'}")
        .formatted(number, TIME)
        .replace('\'', '"');
  }

  private void say(String room, int... numbers) {
    for (int number : numbers) {
      byte[] bytes = text(number).getBytes(UTF_8);
      Payload payload = new Payload(bytes, 0, bytes.length, name(number).hash());
      scene.show(room, new RoomEvent.Said(payload));
    }
  }

  private FakeMember join(String room, int user, Past past) {
    FakeMember member = new FakeMember("s" + user).asking(past);
    scene.join(room, user, member.connectionId(), member);
    scene.runAll();
    return member;
  }

  private static Past after(int number, int history) {
    return new Past(name(number), history);
  }

  private static List<String> texts(int... numbers) {
    return IntStream.of(numbers).mapToObj(PastTest::text).toList();
  }

  private static List<String> then(List<String> before, String... more) {
    return Stream.concat(before.stream(), Stream.of(more)).toList();
  }

  @Test
  void joinWithoutRequestShowsItsOwnJoinFirst() {
    say("5", 1, 2);

    assertThat(join("5", 7, Past.NONE).texts()).containsExactly("JOIN 7 s7");
  }

  @Test
  void returningClientSeesItsLastFrameAgainAndAllLaterOnes() {
    say("5", 1, 2, 3, 4);

    FakeMember member = join("5", 7, after(2, 0));
    say("5", 5);
    scene.runAll();

    assertThat(member.texts()).isEqualTo(then(texts(2, 3, 4), "JOIN 7 s7", text(5)));
    assertThat(scene.rooms().resumed()).isEqualTo(1);
    assertThat(scene.rooms().pastFrames()).isEqualTo(3);
  }

  @Test
  void newcomerSeesTheLastFramesItRequests() {
    say("5", 1, 2, 3, 4);

    assertThat(join("5", 7, new Past(null, 2)).texts()).isEqualTo(then(texts(3, 4), "JOIN 7 s7"));
  }

  @Test
  void frameThatIsNotKnownBringsTheHistory() {
    say("5", 1, 2);

    assertThat(join("5", 7, after(9, 1)).texts()).isEqualTo(then(texts(2), "JOIN 7 s7"));
    assertThat(scene.rooms().notResumed()).isEqualTo(1);
  }

  @Test
  void historyNeverBeginsWithTheRequestedFrame() {
    say("5", 1, 2, 2, 3);

    FakeMember member = join("5", 7, after(2, 3));

    assertThat(member.texts()).isEqualTo(then(texts(3), "JOIN 7 s7"));
  }

  @Test
  void roomWithoutMembersHereIsKept() {
    say("5", 1, 2);
    scene.tick();
    scene.tick();

    assertThat(join("5", 7, after(1, 0)).texts()).isEqualTo(then(texts(1, 2), "JOIN 7 s7"));
  }

  @Test
  void roomIsKeptWhenItsLastMemberHasLeft() {
    join("5", 7, Past.NONE);
    say("5", 1);
    scene.leave("5", 7, "s7");
    scene.runAll();
    scene.tick();
    scene.tick();

    assertThat(join("5", 8, new Past(null, 9)).texts())
        .containsExactly("JOIN 7 s7", text(1), "LEAVE 7 s7", "JOIN 8 s8");
  }

  @Test
  void nothingIsShownFromBeforeALoss() {
    say("5", 1, 2);
    scene.rooms().forget(new Shard(1));
    say("5", 3);

    assertThat(join("5", 7, after(2, 9)).texts()).isEqualTo(then(texts(3), "JOIN 7 s7"));
  }

  @Test
  void lossOfAnotherShardTakesNothing() {
    say("5", 1);
    scene.rooms().forget(new Shard(2));

    assertThat(join("5", 7, after(1, 0)).texts()).isEqualTo(then(texts(1), "JOIN 7 s7"));
  }

  @Test
  void memberIsNotifiedOfItsEntryWhenItsOwnJoinIsWritten() {
    say("5", 1, 2, 3);

    FakeMember member = join("5", 7, after(1, 0));

    assertThat(member.enteredAt()).isEqualTo(4);
  }

  @Test
  void pastLongerThanOneWriteIsShownWholeBeforeItEnters() {
    for (int i = 0; i < 60; i++) {
      say("5", i);
    }

    FakeMember member = join("5", 7, after(0, 0));

    assertThat(member.texts())
        .isEqualTo(then(texts(IntStream.range(0, 60).toArray()), "JOIN 7 s7"));
    assertThat(member.enteredAt()).isEqualTo(61);
  }

  @Test
  void secondJoinOfAConnectionMayAskToo() {
    FakeMember member = join("5", 7, Past.NONE);
    say("5", 1);
    scene.leave("5", 7, "s7");
    say("5", 2);
    member.asking(after(1, 0));
    scene.join("5", 7, "s7", member);
    scene.runAll();

    assertThat(member.texts())
        .containsExactly(
            "JOIN 7 s7", text(1), "LEAVE 7 s7", text(1), "LEAVE 7 s7", text(2), "JOIN 7 s7");
  }

  @Test
  void quietRoomsCostASmallSegmentEach() {
    for (int room = 0; room < 100; room++) {
      say("room" + room, 1);
    }
    scene.tick();

    assertThat(scene.rooms().logBytes()).isLessThanOrEqualTo(100 * RoomScene.SEGMENT);
    assertThat(join("room42", 7, new Past(null, 5)).texts()).isEqualTo(then(texts(1), "JOIN 7 s7"));
  }

  /** The usual bounds of one of two threads, and messages of 240 bytes. */
  @Test
  void tenThousandQuietRoomsOfAServerKeepTheirLastTen() {
    Rooms rooms =
        new Rooms(
            new RoomsConfig(4, 4 << 20, 32 << 20, 1 << 20, 256 << 10, Duration.ofSeconds(15)),
            scene.rounds().fanOut());
    String text = "x".repeat(240);
    for (int message = 0; message < 12; message++) {
      for (int room = 0; room < 5_000; room++) {
        RoomEvent said = new RoomEvent.Said(RoomScene.frame(message + text));
        rooms.show(new RoomId("room" + room), said);
      }
      rooms.tick();
    }

    assertThat(rooms.logBytes()).isEqualTo(5_000L * 4_096);
    assertThat(IntStream.range(0, 5_000))
        .allSatisfy(
            room -> assertThat(rooms.textsBefore(new RoomId("room" + room), 10, null)).hasSize(10));
  }

  @Test
  void pastsAreShortenedBeforeAMemberIsClosed() {
    FakeMember member = join("5", 7, Past.NONE);
    for (int room = 0; room < 60; room++) {
      for (int i = 0; i < 100; i++) {
        say("room" + room, i);
      }
      scene.runAll();
      scene.tick();
    }
    say("5", 1);
    scene.runAll();

    assertThat(member.closeReason()).isNull();
    assertThat(member.texts()).containsExactly("JOIN 7 s7", text(1));
    assertThat(scene.rooms().logBytes()).isLessThanOrEqualTo(SHARE);
    assertThat(join("room59", 8, new Past(null, 3)).texts())
        .isEqualTo(then(texts(97, 98, 99), "JOIN 8 s8"));
  }

  @Test
  void roomOfWhichNothingIsKeptIsForgotten() {
    RoomScene without = new RoomScene(SHARE, 0, Duration.ofSeconds(15));
    without.say("5", 1, "hi");
    without.tick();
    assertThat(without.rooms().all()).isEmpty();

    say("5", 1);
    scene.tick();
    assertThat(scene.rooms().all()).hasSize(1);
    scene.rooms().forget(new Shard(1));
    scene.tick();
    assertThat(scene.rooms().all()).isEmpty();
  }

  @Test
  void requestsAreAnsweredFromThePast() {
    say("5", 1, 2, 3);

    assertThat(scene.rooms().textsBefore(new RoomId("5"), 2, null)).isEqualTo(texts(2, 3));
    assertThat(scene.rooms().textsBefore(new RoomId("5"), 9, name(3))).isEqualTo(texts(1, 2));
    assertThat(scene.rooms().textsBefore(new RoomId("5"), 9, name(1))).isEmpty();
    assertThat(scene.rooms().textsBefore(new RoomId("5"), 9, name(4))).isNull();
    assertThat(scene.rooms().textsBefore(new RoomId("6"), 9, null)).isEmpty();
    assertThat(scene.rooms().textsBefore(new RoomId("6"), 9, name(1))).isNull();
  }

  @Test
  void historyHasABound() {
    assertThatThrownBy(() -> new Past(null, 101)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Past(null, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(after(1, 100).atMost(50)).isEqualTo(after(1, 50));
    assertThat(Past.NONE.isNone()).isTrue();
    assertThat(after(1, 0).isNone()).isFalse();
  }
}
