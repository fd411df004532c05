package dev.chatflow.lab.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiptsTest {
  private final Receipts receipts = new Receipts(2);

  private void take(int sender, int... numbers) {
    for (int number : numbers) {
      receipts.take(sender, number);
    }
  }

  private void assertJudged(long taken, long misordered, long repeated) {
    assertThat(receipts.taken()).isEqualTo(taken);
    assertThat(receipts.misordered()).isEqualTo(misordered);
    assertThat(receipts.repeated()).isEqualTo(repeated);
  }

  @Test
  void eachSenderHasItsOwnOrder() {
    take(0, 0, 1, 2);
    take(1, 0);
    take(0, 3);
    take(1, 1);
    assertJudged(6, 0, 0);
  }

  @Test
  void messageAfterALaterOneIsMisorderedAndCountsOnce() {
    take(0, 0, 3, 1, 2, 4);
    assertJudged(5, 2, 0);
    take(0, 1, 3);
    assertJudged(5, 2, 2);
  }

  @Test
  void missingMessagesAreNotCounted() {
    take(0, 0, 2, 3, 200, 201);
    assertJudged(5, 0, 0);
  }

  @Test
  void orderIsKnownForTheLast64AndOlderMessagesCountAsRepeated() {
    take(0, 63, 1, 0);
    assertJudged(3, 2, 0);
    take(1, 64, 1, 0);
    assertJudged(5, 3, 1);
  }

  @Test
  void messageIsNewOnlyOnce() {
    assertThat(receipts.take(0, 0)).isTrue();
    assertThat(receipts.take(0, 0)).isFalse();
  }
}
