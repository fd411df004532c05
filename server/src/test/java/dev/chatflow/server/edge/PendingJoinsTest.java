package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.Stamp;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seed 55689 of the simulation: a text of a superseded connection was shown after later ones. */
class PendingJoinsTest {

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
    joins.add(ROOM, "4", first);
    joins.add(ROOM, "4", second);
    joins.joinRead(ROOM, "4", LATER);
    assertThat(first.closed).containsExactly(CloseReason.COME_BACK);
    assertThat(second.closed).containsExactly(CloseReason.COME_BACK);
  }

  @Test
  void othersAreLeftInPeace() {
    joins.add(ROOM, "4", first);
    joins.joinRead(ROOM, "4", EARLIER);
    joins.joinRead(ROOM, "5", LATER);
    joins.joinRead(new RoomId("6"), "4", LATER);
    assertThat(first.closed).isEmpty();
  }

  @Test
  void connectionWithItsJoinBackWaitsNoMore() {
    joins.add(ROOM, "4", first);
    joins.add(ROOM, "4", first);
    joins.add(ROOM, "4", second);
    joins.remove(ROOM, "4", first);
    joins.joinRead(ROOM, "4", LATER);
    assertThat(first.closed).isEmpty();
    assertThat(second.closed).hasSize(1);
  }
}
