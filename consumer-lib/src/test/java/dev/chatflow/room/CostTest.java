package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The cost of an event of one member does not depend on the other members, which are not visited.
 */
class CostTest {

  private static final int CROWD = 5_000;

  private final RoomScene scene = new RoomScene();

  @Test
  void idleMembersAreNotLookedAtByTicks() {
    List<WatchedMember> crowd = crowd();

    scene.tick();

    assertThat(looks(crowd)).isZero();
  }

  @Test
  void quietJoinAndLeaveVisitOnlyTheirMember() {
    List<WatchedMember> crowd = crowd();
    FakeMember other = new FakeMember("other");

    scene.joinQuietly("5", 99_999, "other", other);
    scene.runAll();
    scene.leaveQuietly("5", 99_999, "other");
    scene.runAll();
    scene.tick();

    assertThat(other.texts()).containsExactly("JOIN 99999 other", "LEAVE 99999 other");
    assertThat(looks(crowd)).isZero();
  }

  @Test
  void onlyTheMemberWithAFinishedWriteIsVisited() {
    FakeMember late = scene.join("5", 99_999);
    late.sink().hold();
    scene.runAll();
    List<WatchedMember> crowd = crowd();

    late.sink().release();
    scene.runAll();

    assertThat(late.texts()).hasSize(1 + CROWD);
    assertThat(looks(crowd)).isZero();
  }

  @Test
  void membersOfOtherRoomsAreNotLookedAt() {
    List<WatchedMember> crowd = crowd();

    scene.join("6", 1);
    scene.say("6", 1, "hello");
    scene.runAll();
    scene.tick();

    assertThat(looks(crowd)).isZero();
  }

  /**
   * Each member has its seat until it leaves; the array is twice as long as the number of members.
   */
  @Test
  void seatsShrinkWithTheCrowd() {
    crowd();
    Room room = scene.room("5");
    IntStream.range(10, CROWD).forEach(user -> scene.leave("5", user, "w" + user));
    scene.runAll();
    scene.tick();

    assertThat(room.memberCount()).isEqualTo(10);
    assertThat(room.readers().readers().length()).isLessThan(100);
    scene.say("5", 1, "to ten");
    scene.runAll();
    assertThat(scene.rooms().areCaughtUp()).isTrue();
  }

  /** Creates many members that have got everything so far, and have not been visited since. */
  private List<WatchedMember> crowd() {
    List<WatchedMember> crowd = new ArrayList<>();
    for (int user = 0; user < CROWD; user++) {
      WatchedMember member = new WatchedMember("w" + user);
      crowd.add(member);
      scene.join("5", user, member.connectionId(), member);
    }
    scene.runAll();
    scene.tick();
    scene.tick();
    crowd.forEach(each -> each.looks = 0);
    return crowd;
  }

  private static int looks(List<WatchedMember> crowd) {
    return crowd.stream().mapToInt(each -> each.looks).sum();
  }

  /** Counts the checks whether it is still open, which precede any work for it. */
  private static final class WatchedMember extends PlainMember {
    private int looks;

    WatchedMember(String connectionId) {
      super(connectionId);
    }

    @Override
    public boolean isClosed() {
      looks++;
      return false;
    }

    @Override
    public void write(LogRange range, Runnable done) {
      done.run();
    }
  }
}
