package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rooms over a fan-out that runs on request, with short methods for their events.
 *
 * <p>Three rooms may wait for their round; the longest pace is 25 ms.
 */
final class FanOutScene {

  private final ManualFanOut rounds =
      new ManualFanOut(new FanOutConfig(1, 3, Duration.ofMillis(25)));
  private final Rooms rooms = rooms(rounds.fanOut());
  private int texts;

  /** Rooms with bounds that no short test reaches. */
  private static Rooms rooms(FanOut fanOut) {
    return new Rooms(
        new RoomsConfig(4, 4 << 20, 64 << 20, 0, 256 << 10, Duration.ofSeconds(15)), fanOut);
  }

  ManualFanOut rounds() {
    return rounds;
  }

  FanOut fanOut() {
    return rounds.fanOut();
  }

  FakeMember join(String room, String connectionId) {
    FakeMember member = new FakeMember(connectionId);
    join(room, member);
    return member;
  }

  /** Lets many members join one room. */
  List<FakeMember> crowd(String room, int count) {
    return IntStream.range(0, count).mapToObj(i -> join(room, "member " + i)).toList();
  }

  /** Lets one member join each of these rooms, which then all wait for their round. */
  void joinEach(String... ids) {
    for (String room : ids) {
      join(room, "m");
    }
  }

  /** Joins; its first write stays in flight. */
  FakeMember joinHeld(String room) {
    FakeMember member = join(room, "m");
    member.sink().hold();
    rounds.runOne();
    return member;
  }

  void join(String room, Member member) {
    join(rooms, room, member);
  }

  /** Joins a room whose rounds another fan-out runs. */
  static void join(FanOut fanOut, Member member) {
    join(rooms(fanOut), "1", member);
  }

  private static void join(Rooms rooms, String room, Member member) {
    String connectionId = member.connectionId();
    RoomEvent.Newcomer newcomer = new RoomEvent.Newcomer(member, Past.NONE);
    RoomEvent joined =
        new RoomEvent.Joined(
            new UserDevice(connectionId, ""), connectionId, false, payload("JOIN"), newcomer);
    rooms.show(new RoomId(room), joined);
  }

  /** Appends one text: {@code text 1}, {@code text 2} and so on. */
  void say(String room) {
    texts++;
    rooms.show(new RoomId(room), new RoomEvent.Said(payload("text " + texts)));
  }

  void say(String room, int count) {
    for (int i = 0; i < count; i++) {
      say(room);
    }
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(UTF_8));
  }
}
