package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RoomSequenceTest {
  private static final int MEMBERS = 3;

  private final RoomSequence sequence = new RoomSequence(MEMBERS);

  @BeforeEach
  void everybodySeesEverybodyJoin() {
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
    assertThat(sequence.size()).as("what all have seen is forgotten").isLessThan(2_100);
  }

  @Test
  void whoReadsSlowlyAgreesAllTheSame() {
    for (int seq = 1; seq <= 5_000; seq++) {
      sequence.saw(0, 0, seq);
      sequence.saw(1, 0, seq);
    }
    for (int seq = 1; seq <= 5_000; seq++) {
      assertThat(sequence.saw(2, 0, seq)).isTrue();
    }
  }

  @Test
  void crossedTextsOfTwoSendersDisagreeOnce() {
    sequence.saw(0, 0, 1);
    sequence.saw(0, 1, 1);
    assertThat(sequence.saw(1, 1, 1)).as("the other one may be lost").isTrue();
    assertThat(sequence.saw(1, 0, 1)).isFalse();
    assertThat(sequence.saw(1, 0, 2)).as("what follows is compared again").isTrue();
    assertThat(sequence.saw(0, 0, 2)).isTrue();
  }

  @Test
  void textsThatNobodyElseHasSeenYetDisagreeToo() {
    sequence.saw(0, 0, 1);
    sequence.saw(1, 1, 1);
    assertThat(sequence.saw(1, 0, 1)).isTrue();
    assertThat(sequence.saw(0, 1, 1)).as("shown to 1 before, to 0 after").isFalse();
    assertThat(sequence.saw(2, 1, 1)).isTrue();
    assertThat(sequence.saw(2, 0, 1)).isTrue();
  }

  @Test
  void textThatTheForemostLostIsSeenByTheOthersInItsPlace() {
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
  void textThatComesWhenAllOthersHaveLongPassedDisagrees() {
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
    sequence.gone(2);
    sequence.joining(2, 77);
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 1, 1);
    sequence.saw(1, 1, 1);
    assertThat(sequence.sawJoin(1, 2, 77)).isFalse();
  }

  @Test
  void whoComesBackIsComparedFromItsJoinOn() {
    sequence.gone(2);
    sequence.joining(2, 77);
    sequence.saw(0, 0, 1);
    sequence.sawJoin(0, 2, 77);
    sequence.saw(0, 0, 2);
    sequence.saw(0, 1, 1);
    for (int seq = 3; seq < 1_000; seq++) {
      sequence.saw(0, 0, seq);
    }
    assertThat(sequence.saw(2, 0, 1)).as("said to who is away").isTrue();
    sequence.joined(2, 77);
    assertThat(sequence.saw(2, 1, 1)).isTrue();
    assertThat(sequence.saw(2, 0, 2)).as("before the JOIN's next").isFalse();
  }

  @Test
  void whoseServerIsAheadBeginsAPartThatOthersComeTo() {
    comesBackAhead();
    sequence.saw(2, 0, 2);
    assertThat(sequence.parts()).isEqualTo(2);
    assertThat(sequence.saw(0, 1, 1)).as("said before the JOIN").isTrue();
    assertThat(sequence.saw(1, 1, 1)).isTrue();
    assertThat(sequence.sawJoin(0, 2, 77)).isTrue();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.parts()).isOne();
    assertThat(sequence.saw(0, 0, 2)).isTrue();
    assertThat(sequence.saw(0, 1, 2)).isTrue();
    assertThat(sequence.saw(1, 1, 2)).as("0 saw another one before it").isTrue();
    assertThat(sequence.saw(1, 0, 2)).isFalse();
  }

  @Test
  void joinThatIsLostDoesNotPartItsMemberFromTheOthers() {
    comesBackAhead();
    sequence.saw(2, 0, 2);
    assertThat(sequence.saw(0, 1, 1)).isTrue();
    assertThat(sequence.saw(0, 0, 2)).as("its JOIN is lost or comes late").isTrue();
    assertThat(sequence.parts()).isOne();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.saw(1, 0, 2)).isTrue();
    assertThat(sequence.sawJoin(0, 2, 77)).as("it comes late").isFalse();
  }

  @Test
  void joinsThatTwoServersShowInAnotherOrderDisagree() {
    sequence.gone(1);
    comesBackAhead();
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

  private void comesBackAhead() {
    sequence.gone(2);
    sequence.joining(2, 77);
    sequence.joined(2, 77);
  }
}
