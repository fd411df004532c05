package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Tests a part that runs users 0 and 1 of a room. Another part runs users 2 and 3. Each user sends
 * 2 texts.
 */
final class OtherPartsTest {
  private static final int[] TEXTS = {2, 2, 2, 2};
  private final OtherParts others = new OtherParts(0, 2, TEXTS, false);

  @Test
  void otherUsersOfTheRoomBelongToOtherParts() {
    assertThat(others.areThere()).isTrue();
    assertThat(others.has(1)).isFalse();
    assertThat(others.has(2)).isTrue();
    assertThat(others.has(3)).isTrue();
    assertThat(others.has(-1)).as("not an index").isFalse();
    assertThat(others.has(4)).as("not an index").isFalse();
  }

  @Test
  void singlePartHasNoOthers() {
    OtherParts none = new OtherParts(0, 4, TEXTS, false);
    assertThat(none.areThere()).isFalse();
    assertThat(none.has(3)).isFalse();
    assertThat(none.areDrained(4, false)).isTrue();
  }

  @Test
  void textsAreCountedAndALeaveIsNot() {
    assertThat(others.delivered(2, 1)).isTrue();
    assertThat(others.delivered(2, 2)).isTrue();
    assertThat(others.delivered(2, 3)).as("its LEAVE").isFalse();
    assertThat(others.delivered()).isEqualTo(2);
  }

  @Test
  void drainedWhenEachLocalMemberHasTheLastTextOfEachUser() {
    for (int member = 0; member < 2; member++) {
      others.delivered(2, 2);
      assertThat(others.areDrained(2, true)).isFalse();
      others.delivered(3, 2);
    }
    assertThat(others.areDrained(2, false)).isTrue();
    assertThat(others.areDrained(0, false)).as("without local members").isTrue();
  }

  @Test
  void timedRunIsDrainedWhenTheRoomIsQuiet() {
    OtherParts open = new OtherParts(0, 2, TEXTS, true);
    assertThat(open.areDrained(2, false)).isFalse();
    assertThat(open.areDrained(2, true)).isTrue();
  }
}
