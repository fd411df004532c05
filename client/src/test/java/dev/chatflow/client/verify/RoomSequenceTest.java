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
    assertThat(sequence.heads()).isZero();
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
    assertThat(sequence.saw(0, 1, 1)).isTrue();
    assertThat(sequence.saw(1, 0, 1)).as("shown to 0 before, to 1 after").isFalse();
    assertThat(sequence.saw(2, 0, 1)).isTrue();
    assertThat(sequence.saw(2, 1, 1)).isTrue();
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
    sequence.gone(2);
    sequence.joining(2, 77);
    sequence.joined(2, 77);
    sequence.saw(2, 0, 2);
    assertThat(sequence.heads()).isOne();
    assertThat(sequence.saw(0, 1, 1)).as("said before the JOIN").isTrue();
    assertThat(sequence.saw(1, 1, 1)).isTrue();
    assertThat(sequence.sawJoin(0, 2, 77)).isTrue();
    assertThat(sequence.sawJoin(1, 2, 77)).isTrue();
    assertThat(sequence.heads()).isZero();
    assertThat(sequence.saw(0, 1, 2)).as("2 saw another one behind its JOIN").isTrue();
    assertThat(sequence.saw(0, 0, 2)).isFalse();
  }

  @Test
  void partThatNobodyElseCanComeToIsForgotten() {
    sequence.gone(2);
    sequence.joining(2, 77);
    sequence.joined(2, 77);
    sequence.gone(0);
    sequence.gone(1);
    assertThat(sequence.heads()).isZero();
  }
}
