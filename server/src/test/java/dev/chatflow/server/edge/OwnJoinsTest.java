package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Extras;
import dev.chatflow.message.JoinRequest;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.Past;
import org.junit.jupiter.api.Test;

class OwnJoinsTest extends ConnectionScene {

  private static final Past FIVE = new Past(null, 5);
  private static final Past SIX = new Past(null, 6);
  private static final long UNKNOWN_STAMP = Long.MAX_VALUE;

  private final OwnJoins joins = new OwnJoins(connection);

  private long joining(Past past, int names) {
    joins.accepted(
        new ClientMessage(
            MessageType.JOIN,
            "17",
            "user17",
            "",
            "2026-11-20T18:46:00Z",
            "m",
            Extras.NONE,
            new JoinRequest("", past, names)));
    return joins.stamp();
  }

  private long joining(Past past) {
    return joining(past, MembersFrame.NOT_ASKED);
  }

  @Test
  void eachJoinThatComesBackHasItsOwnPast() {
    long five = joining(FIVE);
    long none = joining(Past.NONE);
    long six = joining(SIX);

    assertThat(joins.cameBack(five).past()).isEqualTo(FIVE);
    assertThat(joins.cameBack(none).past()).isEqualTo(Past.NONE);
    assertThat(joins.cameBack(six).past()).isEqualTo(SIX);
  }

  @Test
  void joinThatNeverCameBackLeavesNothingBehind() {
    long five = joining(FIVE);
    long six = joining(SIX);

    assertThat(joins.cameBack(six).past()).isEqualTo(SIX);
    assertThat(joins.cameBack(five).past()).isEqualTo(Past.NONE);
    assertThat(joins.cameBack(UNKNOWN_STAMP).past()).isEqualTo(Past.NONE);
  }

  @Test
  void eachJoinNamesItsNumberOfNames() {
    long some = joining(Past.NONE, 200);
    long none = joining(Past.NONE);

    assertThat(joins.cameBack(some).names()).isEqualTo(200);
    assertThat(joins.cameBack(none).names()).isEqualTo(MembersFrame.NOT_ASKED);
  }

  @Test
  void isPendingUntilTheNewestIsBack() {
    long older = joining(Past.NONE);
    long newest = joining(Past.NONE);

    joins.cameBack(older);
    assertThat(joins.isPending()).isTrue();
    assertThat(joins.isBack()).isFalse();
    joins.cameBack(newest);
    assertThat(joins.isPending()).isFalse();
    assertThat(joins.isBack()).isTrue();
  }
}
