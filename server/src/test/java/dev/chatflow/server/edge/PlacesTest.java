package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacesTest {

  private final Places places = new Places(3, new Addresses(2));

  private Places.@Nullable Refusal take(String address) {
    return places.take(address, false);
  }

  @Test
  void oneAddressLeavesPlacesToTheOthers() {
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.1")).isEqualTo(Places.Refusal.ADDRESS);
    assertThat(take("192.0.2.2")).isNull();
    assertThat(take("192.0.2.2")).isEqualTo(Places.Refusal.FULL);
    assertThat(places.taken()).isEqualTo(3);
    places.giveBack("192.0.2.1", false);
    assertThat(take("192.0.2.1")).isNull();
  }

  @Test
  void whoIsExemptTakesPlacesAndCountsForNoAddress() {
    for (int i = 0; i < 3; i++) {
      assertThat(places.take("192.0.2.1", true)).isNull();
    }
    assertThat(places.take("192.0.2.1", true)).isEqualTo(Places.Refusal.FULL);
    places.giveBack("192.0.2.1", true);
    assertThat(take("192.0.2.1")).isNull();
  }

  @Test
  void heapThatHoldsLessThanIsAllowedIsTheBound() {
    places.heapHolds(1);
    assertThat(places.limit()).isEqualTo(1);
    assertThat(take("192.0.2.1")).isNull();
    assertThat(take("192.0.2.2")).isEqualTo(Places.Refusal.MEMORY);
  }

  @Test
  void heapThatHoldsMoreIsNone() {
    places.heapHolds(4);
    assertThat(places.limit()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(take("192.0.2." + i)).isNull();
    }
    assertThat(take("192.0.2.9")).isEqualTo(Places.Refusal.FULL);
  }
}
