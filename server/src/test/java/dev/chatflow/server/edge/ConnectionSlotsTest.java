package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionSlotsTest {

  private final ConnectionSlots slots = new ConnectionSlots(3, new Addresses(2));

  private ConnectionSlots.@Nullable Refusal take(String address) {
    return slots.take(address, false);
  }

  @Test
  void oneAddressLeavesPlacesToTheOthers() {
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.1")).isEqualTo(ConnectionSlots.Refusal.ADDRESS);
    assertThat(take("192.0.2.2")).isNull();
    assertThat(take("192.0.2.2")).isEqualTo(ConnectionSlots.Refusal.FULL);
    assertThat(slots.taken()).isEqualTo(3);
    slots.giveBack("192.0.2.1", false);
    assertThat(take("192.0.2.1")).isNull();
  }

  @Test
  void exemptClientTakesSlotsAndCountsForNoAddress() {
    for (int i = 0; i < 3; i++) {
      assertThat(slots.take("192.0.2.1", true)).isNull();
    }
    assertThat(slots.take("192.0.2.1", true)).isEqualTo(ConnectionSlots.Refusal.FULL);
    slots.giveBack("192.0.2.1", true);
    assertThat(take("192.0.2.1")).isNull();
  }

  @Test
  void smallHeapIsTheBound() {
    slots.heapHolds(1);
    assertThat(slots.limit()).isEqualTo(1);
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.2")).isEqualTo(ConnectionSlots.Refusal.MEMORY);
  }

  @Test
  void heapThatHoldsMoreIsNone() {
    slots.heapHolds(4);
    assertThat(slots.limit()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(take("192.0.2." + i)).isNull();
    }
    assertThat(take("192.0.2.9")).isEqualTo(ConnectionSlots.Refusal.FULL);
  }
}
