package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeOrderTest {

  private static List<String> tries(NodeOrder<String> order, int count) {
    return Stream.generate(order::next).limit(count).toList();
  }

  @Test
  void nodesAreTriedInTurn() {
    NodeOrder<String> order = new NodeOrder<>(List.of("a", "b", "c"));
    assertThat(tries(order, 5)).containsExactly("a", "b", "c", "a", "b");
  }

  /** A partitioned node accepted connections while the others were still choosing a leader. */
  @Test
  void anAbandonedNodeIsTriedAfterThreeRoundsOfTheOthers() {
    NodeOrder<String> order = new NodeOrder<>(List.of("a", "b", "c"));
    assertThat(order.next()).isEqualTo("a");
    order.leave("a");
    assertThat(tries(order, 7)).containsExactly("b", "c", "b", "c", "b", "c", "a");
  }

  @Test
  void theLastThatWasLeftCounts() {
    NodeOrder<String> order = new NodeOrder<>(List.of("a", "b", "c"));
    assertThat(order.next()).isEqualTo("a");
    order.leave("a");
    assertThat(order.next()).isEqualTo("b");
    order.leave("b");
    assertThat(tries(order, 4)).containsExactly("c", "a", "c", "a");
  }

  @Test
  void theOnlyNodeIsTriedAlways() {
    NodeOrder<String> order = new NodeOrder<>(List.of("a"));
    assertThat(tries(order, 2)).containsExactly("a", "a");
  }
}
