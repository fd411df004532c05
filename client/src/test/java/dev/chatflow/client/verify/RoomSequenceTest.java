package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RoomSequenceTest {
  private static final int MEMBERS = 3;

  private final RoomSequence sequence = new RoomSequence(MEMBERS, false);

  @BeforeEach
  void joinAllMembers() {
    for (int joining = 0; joining < MEMBERS; joining++) {
      sequence.joining(joining, joining);
      sequence.joined(joining, joining);
      for (int member = 0; member < joining; member++) {
        assertThat(sequence.sawJoin(member, joining, joining)).isTrue();
      }
    }
  }

  @Test
  void sameOrderEverywhereAgrees() {
    for (int seq = 1; seq <= 40_000; seq++) {
      for (int member = 0; member < MEMBERS; member++) {
        assertThat(sequence.saw(member, seq % 2, seq)).isTrue();
      }
    }
    assertThat(sequence.parts()).isOne();
    assertThat(sequence.size()).as("older messages are discarded").isLessThan(2_100);
  }

  @Test
  void memberWithAQuietJoinStartsAtItsFirstMessage() {
    RoomSequence quiet = new RoomSequence(3, false);
    for (int member = 0; member < 3; member++) {
      quiet.joining(member, member);
      quiet.joinedQuietly(member, false);
    }
    assertThat(quiet.size()).as("quiet JOINs are not part of the order").isZero();
    assertThat(quiet.saw(0, 0, 1)).isTrue();
    assertThat(quiet.saw(0, 1, 1)).isTrue();
    assertThat(quiet.saw(1, 1, 1)).as("it joined between the two").isTrue();
    assertThat(quiet.saw(2, 0, 1)).isTrue();
    assertThat(quiet.saw(2, 1, 1)).isTrue();
    assertThat(quiet.saw(0, 0, 2)).isTrue();
    assertThat(quiet.saw(0, 1, 2)).isTrue();
    assertThat(quiet.saw(1, 1, 2)).isTrue();
    assertThat(quiet.saw(1, 0, 2)).as("swapped").isFalse();
    assertThat(quiet.parts()).isOne();
  }

  @Test
  void memberThatRejoinsQuietlyContinuesAtItsPosition() {
    sequence.saw(0, 0, 1);
    sequence.saw(1, 0, 1);
    sequence.disconnected(0);
    sequence.saw(1, 0, 2);
    sequence.joining(0, 9);
    sequence.joinedQuietly(0, true);
    sequence.saw(1, 1, 1);
    assertThat(sequence.saw(0, 1, 1)).isTrue();
    assertThat(sequence.takeMissed(0)).containsExactly(new RoomSequence.Missed(0, 2));
  }

  @Test
  void orderIsKeptOnRequest() {
    RoomSequence kept = new RoomSequence(2, true);
    kept.joining(0, 5);
    kept.joined(0, 5);
    kept.joining(1, 6);
    kept.joined(1, 6);
    kept.saw(1, 0, 1); // member 1 is ahead of member 0, which joined first
    kept.sawJoin(0, 1, 6);
    kept.saw(0, 0, 1);
    for (int seq = 2; seq <= 10_000; seq++) {
      kept.saw(seq % 2, 0, seq);
      kept.saw(1 - seq % 2, 0, seq);
    }
    kept.departed(0);
    kept.departed(1);
    assertThat(kept.size()).as("messages that are still compared").isLessThan(2_100);
    List<RoomSequence.Ordered> order = kept.order().toList();
    assertThat(order).hasSize(10_002);
    assertThat(order.subList(0, 3))
        .containsExactly(
            new RoomSequence.Ordered(0, 0, 0, 5),
            new RoomSequence.Ordered(0, 1, 0, 6),
            new RoomSequence.Ordered(0, 0, 1, 0));
    assertThat(order.subList(2, order.size()))
        .extracting(RoomSequence.Ordered::seq)
        .isEqualTo(IntStream.rangeClosed(1, 10_000).boxed().toList());
  }

  @Test
  void memberWithoutCommonMessagesIsASeparatePart() {
    RoomSequence kept = new RoomSequence(2, true);
    kept.joined(0, 5);
    kept.saw(0, 0, 1);
    kept.departed(0);
    kept.joined(1, 6);
    assertThat(kept.order())
        .containsExactly(
            new RoomSequence.Ordered(0, 0, 0, 5),
            new RoomSequence.Ordered(0, 0, 1, 0),
            new RoomSequence.Ordered(1, 1, 0, 6));
    assertThat(new RoomSequence(2, false).order()).isEmpty();
  }

  @Test
  void slowReaderAgrees() {
    for (int seq = 1; seq <= 5_000; seq++) {
      sequence.saw(0, 0, seq);
      sequence.saw(1, 0, seq);
    }
    for (int seq = 1; seq <= 5_000; seq++) {
      assertThat(sequence.saw(2, 0, seq)).isTrue();
    }
  }

  @Test
  void swappedTextsOfTwoSendersDisagreeOnce() {
    sequence.saw(0, 0, 1);
    sequence.saw(0, 1, 1);
    assertThat(sequence.saw(1, 1, 1)).as("the other one may be lost").isTrue();
    assertThat(sequence.saw(1, 0, 1)).isFalse();
    assertThat(sequence.saw(1, 0, 2)).as("later messages are compared again").isTrue();
    assertThat(sequence.saw(0, 0, 2)).isTrue();
  }

  @Test
  void swappedTextsThatNoOtherMemberReceivedDisagree() {
    sequence.saw(0, 0, 1);
    sequence.saw(1, 1, 1);
    assertThat(sequence.saw(1, 0, 1)).isTrue();
    assertThat(sequence.saw(0, 1, 1)).as("member 1 received it first, member 0 second").isFalse();
    assertThat(sequence.saw(2, 1, 1)).isTrue();
    assertThat(sequence.saw(2, 0, 1)).isTrue();
  }

  @Test
  void textLostByTheFirstMemberAgreesForTheOthers() {
    for (int seq = 1; seq <= 10; seq++) {
      if (seq != 4) {
        sequence.saw(0, 0, seq);
      }
    }
    for (int member = 1; member < MEMBERS; member++) {
      for (int seq = 1; seq <= 10; seq++) {
        assertThat(sequence.saw(member, 0, seq)).isTrue();
      }
    }
    assertThat(sequence.saw(0, 0, 4)).as("late, not lost").isFalse();
  }

  @Test
  void textThatArrivesLongAfterAllOthersPassedItDisagrees() {
    sequence.saw(0, 1, 1);
    sequence.saw(2, 1, 1);
    for (int seq = 1; seq <= 10_000; seq++) {
      for (int member = 0; member < MEMBERS; member++) {
        assertThat(sequence.saw(member, 0, seq)).isTrue();
      }
    }
    assertThat(sequence.saw(1, 1, 1)).isFalse();
  }

  @Test
  void missingTextIsNoDisagreement() {
    sequence.saw(0, 1, 1);
    sequence.saw(0, 1, 2);
    assertThat(sequence.saw(1, 1, 2)).isTrue();
    assertThat(sequence.saw(1, 1, 3)).isTrue();
  }

  @Test
  void joinIsComparedLikeAText() {
    sequence.departed(2);
    sequence.joining(2, 77);
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 1, 1);
    sequence.saw(1, 1, 1);
    assertThat(sequence.sawJoin(1, 2, 77)).isFalse();
  }

  @Test
  void rejoinedMemberIsComparedFromItsJoin() {
    sequence.departed(2);
    sequence.joining(2, 77);
    sequence.saw(0, 0, 1);
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 0, 2);
    sequence.saw(0, 1, 1);
    for (int seq = 3; seq < 1_000; seq++) {
      sequence.saw(0, 0, seq);
    }
    assertThat(sequence.saw(2, 0, 1)).as("received before its JOIN").isTrue();
    sequence.joined(2, 77);
    assertThat(sequence.saw(2, 1, 1)).isTrue();
    assertThat(sequence.saw(2, 0, 2)).as("after a later text").isFalse();
  }

  @Test
  void memberOnAServerAheadStartsAPartThatOthersReach() {
    rejoinAhead();
    sequence.saw(2, 0, 2);
    assertThat(sequence.parts()).isEqualTo(2);
    assertThat(sequence.saw(0, 1, 1)).as("sent before the JOIN").isTrue();
    assertThat(sequence.saw(1, 1, 1)).isTrue();
    assertThat(sequence.sawJoin(0, 2, 77)).isTrue();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.parts()).isOne();
    assertThat(sequence.saw(0, 0, 2)).isTrue();
    assertThat(sequence.saw(0, 1, 2)).isTrue();
    assertThat(sequence.saw(1, 1, 2)).as("member 0 received another text before it").isTrue();
    assertThat(sequence.saw(1, 0, 2)).isFalse();
  }

  @Test
  void lostJoinDoesNotSeparateItsMemberFromTheOthers() {
    rejoinAhead();
    sequence.saw(2, 0, 2);
    assertThat(sequence.saw(0, 1, 1)).isTrue();
    assertThat(sequence.saw(0, 0, 2)).as("the JOIN is lost or late").isTrue();
    assertThat(sequence.parts()).isOne();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.saw(1, 0, 2)).isTrue();
    assertThat(sequence.sawJoin(0, 2, 77)).as("the JOIN is late").isFalse();
  }

  @Test
  void joinsInDifferentOrdersOnTwoServersDisagree() {
    sequence.departed(1);
    rejoinAhead();
    sequence.joining(1, 78);
    sequence.joined(1, 78);
    assertThat(sequence.parts()).isEqualTo(3);
    assertThat(sequence.sawJoin(2, 1, 78)).isTrue();
    assertThat(sequence.sawJoin(1, 2, 77)).isFalse();
    assertThat(sequence.sawJoin(0, 2, 77)).isTrue();
    assertThat(sequence.sawJoin(0, 1, 78)).isTrue();
    assertThat(sequence.saw(0, 0, 1)).isTrue();
    assertThat(sequence.saw(1, 0, 1)).isTrue();
    assertThat(sequence.saw(2, 0, 1)).isTrue();
    assertThat(sequence.parts()).isOne();
  }

  @Test
  void disconnectedMemberKeepsItsPosition() {
    sequence.disconnected(2);
    sequence.joining(2, 77);
    for (int seq = 1; seq <= 5_000; seq++) {
      sequence.saw(0, 0, seq);
      sequence.saw(1, 0, seq);
    }
    sequence.sawJoin(0, 2, 77);
    for (int seq = 1; seq <= 5_000; seq++) {
      assertThat(sequence.saw(2, 0, seq)).isTrue();
    }
    assertThat(sequence.cameBack(2, 77)).isTrue();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.takeMissed(2)).isEmpty();
    assertThat(sequence.parts()).isOne();
  }

  @Test
  void messagesForADisconnectedMemberAreKeptUntilItDeparts() {
    sequence.disconnected(2);
    for (int seq = 1; seq <= 5_000; seq++) {
      sequence.saw(0, 0, seq);
      sequence.saw(1, 0, seq);
    }
    assertThat(sequence.size()).isGreaterThanOrEqualTo(5_000);
    sequence.departed(2);
    for (int seq = 5_001; seq <= 20_000; seq++) {
      sequence.saw(0, 0, seq);
      sequence.saw(1, 0, seq);
    }
    assertThat(sequence.size()).isLessThan(2_100);
  }

  @Test
  void messagesMissedByAResumingMemberAreReported() {
    sequence.disconnected(2);
    sequence.joining(2, 77);
    sequence.sawJoin(0, 1, 78);
    sequence.saw(0, 0, 1);
    sequence.saw(0, 0, 2);
    assertThat(sequence.saw(2, 0, 2)).isTrue();
    assertThat(sequence.takeMissed(2))
        .containsExactlyInAnyOrder(new RoomSequence.Missed(1, 0), new RoomSequence.Missed(0, 1));
    assertThat(sequence.takeMissed(2)).isEmpty();
  }

  @Test
  void swapForAResumingMemberDisagrees() {
    sequence.disconnected(2);
    sequence.joining(2, 77);
    for (int seq = 1; seq <= 3; seq++) {
      sequence.saw(0, 0, seq);
    }
    assertThat(sequence.saw(2, 0, 2)).isTrue();
    assertThat(sequence.saw(2, 0, 1)).isFalse();
    assertThat(sequence.saw(2, 0, 3)).isTrue();
    assertThat(sequence.cameBack(2, 77)).isTrue();
  }

  @Test
  void memberThatDoesNotResumeStartsAtItsJoin() {
    sequence.disconnected(2);
    sequence.joining(2, 77);
    sequence.saw(0, 0, 1);
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 0, 2);
    assertThat(sequence.joined(2, 77)).isTrue();
    assertThat(sequence.saw(2, 0, 2)).isTrue();
    assertThat(sequence.takeMissed(2)).isEmpty();
  }

  @Test
  void historyThatEndsDirectlyBeforeTheJoinIsComplete() {
    assertThat(recalls(2, 3)).isTrue();
    assertThat(sequence.joined(2, 77)).isTrue();
    assertThat(sequence.takeMissed(2)).isEmpty();
    assertThat(sequence.saw(2, 0, 4)).isTrue();
  }

  @Test
  void gapInAHistoryIsReported() {
    assertThat(recalls(1, 3)).isTrue();
    assertThat(sequence.joined(2, 77)).isTrue();
    assertThat(sequence.takeMissed(2)).containsExactly(new RoomSequence.Missed(0, 2));
  }

  @Test
  void historyThatDoesNotReachTheJoinIsReported() {
    assertThat(recalls(1, 2)).isTrue();
    assertThat(sequence.joined(2, 77)).isTrue();
    assertThat(sequence.takeMissed(2)).containsExactly(new RoomSequence.Missed(0, 3));
  }

  @Test
  void swappedHistoryDisagrees() {
    assertThat(recalls(2, 1)).isFalse();
  }

  @Test
  void discardedHistoryIsAccepted() {
    sequence.departed(2);
    sequence.joining(2, 77);
    assertThat(sequence.pastMessage(2, 0, 999)).isTrue();
    assertThat(sequence.joined(2, 77)).isTrue();
    assertThat(sequence.takeMissed(2)).isEmpty();
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 0, 1);
    assertThat(sequence.saw(2, 0, 1)).isTrue();
  }

  @Test
  void joinsInAHistoryAreCompared() {
    sequence.departed(2);
    sequence.sawJoin(0, 1, 70);
    sequence.saw(0, 0, 1);
    sequence.joining(2, 77);
    assertThat(sequence.pastJoin(2, 1, 70)).isTrue();
    assertThat(sequence.pastMessage(2, 0, 1)).isTrue();
    assertThat(sequence.pastJoin(2, 1, 70)).isFalse();
  }

  @Test
  void disconnectDuringAHistoryDiscardsItsPosition() {
    recalls(1);
    sequence.disconnected(2);
    sequence.joining(2, 78);
    assertThat(sequence.joined(2, 78)).isTrue();
    assertThat(sequence.takeMissed(2)).isEmpty();
  }

  /**
   * Joins member 2 after three texts and delivers these of them as history. Returns whether they
   * agree.
   */
  private boolean recalls(int... shown) {
    sequence.departed(2);
    sequence.joining(2, 77);
    for (int seq = 1; seq <= 3; seq++) {
      sequence.saw(0, 0, seq);
    }
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 0, 4);
    boolean agrees = true;
    for (int seq : shown) {
      agrees &= sequence.pastMessage(2, 0, seq);
    }
    return agrees;
  }

  private void rejoinAhead() {
    sequence.departed(2);
    sequence.joining(2, 77);
    sequence.joined(2, 77);
  }
}
