package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RoomOrderTest {
  private final RoomOrder order = new RoomOrder(3);

  @Test
  void sameOrderEverywhereIsNoDivergence() {
    for (int seq = 1; seq <= 40_000; seq++) {
      for (int member = 0; member < 3; member++) {
        order.saw(member, seq % 3, seq);
      }
    }
    assertThat(order.divergences(List.of(0, 1, 2))).isEmpty();
  }

  @Test
  void twoCrossedTextsOfDifferentSendersAreLocated() {
    for (int seq = 1; seq <= 5_000; seq++) {
      for (int member = 0; member < 3; member++) {
        boolean crossed = member == 2 && seq == 2_500;
        order.saw(member, crossed ? 1 : 0, seq);
        order.saw(member, crossed ? 0 : 1, seq);
      }
    }
    assertThat(order.divergences(List.of(0, 1, 2)))
        .containsExactly(new RoomOrder.Divergence(2, 4_000));
  }

  @Test
  void missingLastTextIsADivergence() {
    order.saw(0, 1, 1);
    order.saw(1, 1, 1);
    order.saw(0, 1, 2);
    assertThat(order.divergences(List.of(0, 1))).containsExactly(new RoomOrder.Divergence(1, 0));
    assertThat(order.divergences(List.of())).isEmpty();
  }
}
