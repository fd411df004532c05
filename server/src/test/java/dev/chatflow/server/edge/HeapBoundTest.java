package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapBoundTest {

  private static final long MIB = 1 << 20;

  private static HeapBound heap(long mebibytes) {
    return new HeapBound(mebibytes * MIB, 16 * MIB, 4 * MIB, 16);
  }

  /**
   * Calculated by hand: 0.7 of the heap less 16 MiB, divided by 10,752 and the messages in flight.
   */
  @ParameterizedTest
  @CsvSource({"64, 1638", "128, 6007", "256, 14746", "1024, 67174"})
  void launchersConnectionsByHeap(long mebibytes, int about) {
    assertThat((double) heap(mebibytes).connections(10_752)).isBetween(about * 0.98, about * 1.02);
  }

  @Test
  void dearerConnectionsAreFewer() {
    assertThat(heap(256).connections(49_152)).isLessThan(heap(256).connections(10_752) / 4);
  }

  /** Lanes of 64 MiB cannot all be full in a heap of 64 MiB. */
  @Test
  void windowsOfFewConnectionsCountWhereLanesCouldHoldMore() {
    HeapBound heap = new HeapBound(64 * MIB, 16 * MIB, 64 * MIB, 16);
    assertThat(heap.connections(10_752)).isBetween(1_480, 1_490);
  }

  @Test
  void oneConnectionIsAcceptedWithAnyHeap() {
    assertThat(heap(16).connections(10_752)).isEqualTo(HeapBound.LEAST);
  }

  @Test
  void thisProcessReportsTheLimitOfItsJvm() {
    HeapBound heap = HeapBound.now(4 * MIB, 16);
    assertThat(heap.heapBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(heap.usedBytes()).isPositive().isLessThan(heap.heapBytes());
  }
}
