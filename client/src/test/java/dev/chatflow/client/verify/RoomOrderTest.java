package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the order of two members. RoomSequenceTest tests the comparison itself. */
final class RoomOrderTest {
  private final Findings findings = new Findings();
  private final SenderLog[] logs = {new SenderLog(2, false), new SenderLog(2, false)};
  private final RoomLedger ledger = new RoomLedger(1, 0, logs, findings);

  private RoomOrder order(@Nullable RoomSequence sequence) {
    Arrays.stream(logs).forEach(log -> log.append(1, 1));
    return new RoomOrder(sequence, ledger, new OtherParts(0, 2, new int[] {9, 9}, false));
  }

  private void deliverInDifferentOrders(RoomOrder order) {
    for (int roomIndex = 0; roomIndex < 2; roomIndex++) {
      order.joining(roomIndex, roomIndex);
      order.joined(roomIndex, roomIndex, true, false);
    }
    order.saw(0, 0, 1);
    order.saw(0, 1, 1);
    order.saw(1, 1, 1);
    order.saw(1, 0, 1);
  }

  @Test
  void differentOrderIsReportedToTheLedger() {
    deliverInDifferentOrders(order(new RoomSequence(2, false)));
    assertThat(findings.count(Defect.DIVERGENT)).isOne();
  }

  @Test
  void nothingIsCheckedWithoutASequence() {
    RoomOrder order = order(null);
    deliverInDifferentOrders(order);
    order.sawJoin(0, 1, 7);
    order.pastMessage(0, 1, 0, 7);
    order.disconnected(0);
    order.departed(1);
    order.settle(0);
    assertThat(order.isChecked()).isFalse();
    assertThat(order.order()).isEmpty();
    assertThat(findings.isClean(Set.of())).isTrue();
  }
}
