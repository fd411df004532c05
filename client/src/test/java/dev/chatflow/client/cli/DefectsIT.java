package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests that every class of defect is counted exactly. In 4 rooms of 10 users each user sends 50
 * texts, which are 20,000 deliveries.
 */
final class DefectsIT {
  private static final int LIMIT = 17;
  private final Terminal terminal = new Terminal();

  @Test
  void correctServerPasses() {
    assertThat(defectsFound(Defects.none(), 0)).isEmpty();
    assertThat(terminal.json().getAsJsonObject("counts").get("deliveries").getAsLong())
        .isEqualTo(20_440);
  }

  @Test
  void droppedCopiesAreLost() {
    Defects defects = Defects.of(Defects.Kind.DROP, 997, LIMIT);
    Map<String, Long> found = defectsFound(defects, 4);
    assertThat(found.get("lost")).isEqualTo(defects.done());
    found.remove("unanswered"); // messages whose lost copy was the sender's own
    assertThat(found).containsOnlyKeys("lost");
  }

  @Test
  void duplicatedCopiesAreDuplicates() {
    assertThat(defectsFound(Defects.of(Defects.Kind.DUPLICATE, 997, LIMIT), 4))
        .isEqualTo(Map.of("duplicate", (long) LIMIT));
  }

  @Test
  void swappedCopiesAreReordered() {
    Defects defects = Defects.swapping(997, LIMIT, 50);
    assertThat(defectsFound(defects, 4)).isEqualTo(Map.of("reordered", (long) LIMIT));
  }

  @Test
  void changedCopiesAreCorrupt() {
    assertThat(defectsFound(Defects.of(Defects.Kind.CORRUPT, 997, LIMIT), 4))
        .isEqualTo(Map.of("corrupt", (long) LIMIT));
  }

  @Test
  void copiesInTheWrongRoomAreMisrouted() {
    assertThat(defectsFound(Defects.of(Defects.Kind.MISROUTE, 997, LIMIT), 4))
        .isEqualTo(Map.of("misrouted", (long) LIMIT));
  }

  @Test
  void messagesBroadcastToHalfARoomAreLostForTheOtherHalf() {
    Map<String, Long> found = defectsFound(Defects.of(Defects.Kind.PARTIAL, 101, LIMIT), 4);
    assertThat(found.get("lost")).isEqualTo(LIMIT * 5L);
  }

  private Map<String, Long> defectsFound(Defects defects, int exitCode) {
    try (FakeServer server = FakeServer.start(defects)) {
      int code =
          terminal.run(
              "-q",
              "--format",
              "json",
              "-r",
              "4",
              "-u",
              "10",
              "-m",
              "50",
              "--drain",
              "1s",
              server.url());
      assertThat(code).as(terminal.err()).isEqualTo(exitCode);
    }
    JsonObject counts = terminal.json().getAsJsonObject("verdict").getAsJsonObject("defects");
    Map<String, Long> found = new TreeMap<>();
    counts.entrySet().stream()
        .filter(entry -> entry.getValue().getAsLong() > 0)
        .forEach(entry -> found.put(entry.getKey(), entry.getValue().getAsLong()));
    return found;
  }
}
