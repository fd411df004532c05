package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.Golden;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.verify.Defect;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SweepTableTest {
  private static final Map<String, String> SMALL = Map.of("rooms", "1");
  private static final Map<String, String> LARGE = Map.of("rooms", "2");

  private final SweepTable table = new SweepTable(List.of(SMALL, LARGE, Map.of("rooms", "3")));

  private void fill() {
    table.add(LARGE, StoredRuns.read("open"));
    table.add(SMALL, StoredRuns.observed());
    table.add(SMALL, StoredRuns.read("closed"));
    table.add(SMALL, StoredRuns.read("open"));
  }

  @Test
  void cellsAreOrderedAndHaveMediansRangesAndFactors() {
    fill();
    assertThat(table.cells().keySet()).containsExactly("rooms=1", "rooms=2");
    Golden.matches("sweep.txt", table.text());
  }

  @Test
  void csvHasOneNumberPerColumn() {
    fill();
    Golden.matches("sweep.csv", table.csv());
    List<String> lines = table.csv().lines().toList();
    int columns = lines.getFirst().split(",", -1).length;
    assertThat(lines)
        .hasSize(3)
        .allSatisfy(line -> assertThat(line.split(",", -1)).as(line).hasSize(columns));
    assertThat(Arrays.stream(lines.get(1).split(",", -1)).skip(1).limit(columns - 2L))
        .allSatisfy(cell -> assertThat(cell).matches("-?[0-9.]*"));
  }

  @Test
  void failedRunIsNamedAndDecidesTheExitCode() {
    fill();
    assertThat(table.worst()).isEqualTo(ExitCode.PASSED);
    StoredRun failed = Changed.run("closed").found(Defect.LOST, 2).stored();
    table.add(LARGE, failed);
    table.add(SMALL, Changed.run("closed").objectives("failed>1").stored());
    assertThat(table.worst()).isEqualTo(ExitCode.NOT_VERIFIED);
    assertThat(table.text()).contains("no: FAIL  lost 2 of 384");
  }

  @Test
  void rateComparedWithZeroHasNoFactor() {
    assertThat(SweepTable.factor(0, 5)).isNaN();
    assertThat(SweepTable.times(SweepTable.factor(0, 5))).isEqualTo("-");
    assertThat(SweepTable.times(SweepTable.factor(2, 5))).isEqualTo("2.50");
  }

  @Test
  void tableWithoutRunsIsEmpty() {
    assertThat(table.cells()).isEmpty();
    assertThat(table.rows()).isEmpty();
    assertThat(table.worst()).isEqualTo(ExitCode.PASSED);
  }
}
