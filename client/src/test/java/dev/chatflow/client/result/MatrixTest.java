package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MatrixTest {
  @Test
  void everyCombinationIsACell() {
    Map<String, List<String>> axes = new LinkedHashMap<>();
    axes.put("threads", List.of("1", "2"));
    axes.put("servers", List.of("1", "2", "4"));
    assertThat(Matrix.cells(axes))
        .hasSize(6)
        .startsWith(Map.of("threads", "1", "servers", "1"), Map.of("threads", "1", "servers", "2"))
        .endsWith(Map.of("threads", "2", "servers", "4"));
  }

  @Test
  void medianIsTheMiddleOrTheMeanOfTwo() {
    assertThat(Matrix.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Matrix.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
  }
}
