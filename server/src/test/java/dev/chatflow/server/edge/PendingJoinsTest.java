package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.Stamp;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seed 55689 of the simulation: a text of a superseded connection was shown after later ones. */
class PendingJoinsTest {

  private static final UserDevice USER = new UserDevice("4", "");
  private static final UserDevice OTHER_DEVICE = new UserDevice("4", "phone");
  private static final UserDevice OTHER_USER = new UserDevice("5", "");
  private static final RoomId ROOM = new RoomId("5");
  private static final Stamp EARLIER = new Stamp(7, "server-1", "a");
  private static final Stamp LATER = new Stamp(8, "server-1", "a");

  private final PendingJoins joins = new PendingJoins();
  private final WaitingLine first = new WaitingLine(EARLIER);
  private final WaitingLine second = new WaitingLine(EARLIER);

  private static final class WaitingLine implements PendingJoins.Candidate {
    private final Stamp stamp;
    private final List<CloseReason> closed = new ArrayList<>();

    WaitingLine(Stamp stamp) {
      this.stamp = stamp;
    }

    @Override
    public boolean isSupersededBy(Stamp other) {
      return stamp.compareTo(other) < 0;
    }

    @Override
    public void close(CloseReason reason) {
      closed.add(reason);
    }
  }

  @Test
  void greaterJoinThatIsReadClosesAllThatWait() {
    joins.add(ROOM, USER, first);
    joins.add(ROOM, USER, second);
    joins.joinRead(ROOM, USER, LATER);
    assertThat(first.closed).containsExactly(CloseReason.COME_BACK);
    assertThat(second.closed).containsExactly(CloseReason.COME_BACK);
  }

  @Test
  void othersAreLeftInPeace() {
    joins.add(ROOM, USER, first);
    joins.joinRead(ROOM, USER, EARLIER);
    joins.joinRead(ROOM, OTHER_USER, LATER);
    joins.joinRead(ROOM, OTHER_DEVICE, LATER);
    joins.joinRead(new RoomId("6"), USER, LATER);
    assertThat(first.closed).isEmpty();
  }

  @Test
  void connectionWithItsJoinBackWaitsNoMore() {
    joins.add(ROOM, USER, first);
    joins.add(ROOM, USER, first);
    joins.add(ROOM, USER, second);
    joins.remove(ROOM, USER, first);
    joins.joinRead(ROOM, USER, LATER);
    assertThat(first.closed).isEmpty();
    assertThat(second.closed).hasSize(1);
  }
}
