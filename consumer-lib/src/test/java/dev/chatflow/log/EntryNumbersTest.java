package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import org.junit.jupiter.api.Test;

/** Cases of lane numbers that the simulation found. */
class EntryNumbersTest {

  private static final Lane LANE = new Lane("s", 1, 0);

  private final Window window = new Window(new WindowBounds(40, 20_000), true);

  @Test
  void lossAfterTheFirstEntryOfALaneIsDetected() {
    window.follow();
    assertThat(window.judge(new Entry(LANE, 1, 0, false), 0)).isEqualTo(EntryVerdict.ON_TIME);
    assertThat(window.judge(new Entry(LANE, 8, 1, true), 100)).isEqualTo(EntryVerdict.LOSS);
  }

  @Test
  void aHoleBehindALateCopyOfAFirstEntryIsNoLoss() {
    window.follow();
    assertThat(window.judge(new Entry(LANE, 1, 0, false), 0)).isEqualTo(EntryVerdict.ON_TIME);
    assertThat(window.judge(new Entry(LANE, 8, 7, true), 100)).isEqualTo(EntryVerdict.LATE);
  }
}
