package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the progress line in a terminal and in a pipe. */
final class LiveLineTest {
  private static final long SECOND = 1_000_000_000;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Plan plan = new TestPlan().rooms(2, 10).texts(10).build();
  private int columns = 150;
  private long cpu;

  @Test
  void terminalLineIsOverwrittenAndClearedAtTheEnd() {
    LiveLine live = live(plan, false, false);
    live.show(Phase.JOIN, SECOND, new Progress(20, 10, 0, 0, 0, 0, 0, 0), new SeriesSet());
    assertThat(printed()).isEqualTo("\rjoin    00:01  open 20 joined 10 of 20");
    err.reset();
    cpu = SECOND / 2;
    live.show(Phase.MAIN, 2 * SECOND, halfWay(0), latencies());
    String main =
        "main    00:02  left 00:01  [##########..........]  50%  sent 100/s  delivered 1110/s"
            + "  p50 4  p99 4 ms  in flight 7  due 2  dup 0  queue 41  cpu 50%";
    assertThat(printed()).isEqualTo("\r" + main);
    err.reset();
    live.end();
    assertThat(printed()).isEqualTo("\r" + " ".repeat(main.length()) + "\r");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 100, 120, 135, 160, 200})
  void lineNeverWrapsInATerminalOfAnyWidth(int width) {
    columns = width;
    LiveLine live = live(plan, false, true);
    for (int second = 1; second < 40; second++) {
      live.show(Phase.MAIN, second * SECOND, halfWay(0), latencies());
      assertThat(printed().length()).as(printed()).isLessThanOrEqualTo(width);
      assertThat(printed()).contains("main", "delivered", "p99 4 ms");
      assertThat(printed().contains("█")).as("curves: %s", printed()).isEqualTo(width > 90);
      err.reset();
    }
  }

  @Test
  void lineDoesNotWrapWhenTheTerminalBecomesNarrower() {
    LiveLine live = live(plan, false, true);
    live.show(Phase.MAIN, SECOND, halfWay(0), latencies());
    columns = 60;
    err.reset();
    live.show(Phase.MAIN, 2 * SECOND, halfWay(0), latencies());
    assertThat(printed()).hasSizeLessThanOrEqualTo(60);
  }

  @Test
  void remainingSpaceShowsRateAndP99AsCurves() {
    columns = 200;
    LiveLine live = live(plan, false, true);
    live.show(Phase.JOIN, SECOND / 2, delivered(0), new SeriesSet());
    assertThat(printed()).as("nothing to draw yet").doesNotContain("rate");
    live.show(Phase.MAIN, SECOND, delivered(100), latencies());
    live.show(Phase.MAIN, 2 * SECOND, delivered(500), new SeriesSet());
    err.reset();
    live.show(Phase.MAIN, 3 * SECOND, delivered(1_300), latencies());
    assertThat(printed()).contains("  rate ▃▅█  p99 █ █");
    columns = 60;
    err.reset();
    live.show(Phase.MAIN, 4 * SECOND, delivered(1_400), latencies());
    assertThat(printed()).doesNotContain("█");
  }

  @Test
  void timedLoadShowsRemainingTimeAndStage() {
    Plan stages =
        new TestPlan()
            .rooms(2, 10)
            .texts(1_000_000)
            .lasting(Duration.ofSeconds(40))
            .pacing(
                Pacing.inStages(
                    List.of(
                        new Pacing.Stage(200, Duration.ofSeconds(10)),
                        new Pacing.Stage(1_000, Duration.ofSeconds(30))),
                    Pacing.UNBOUNDED,
                    false))
            .build();
    LiveLine live = live(stages, false, false);
    live.show(Phase.JOIN, 5 * SECOND, halfWay(0), new SeriesSet());
    live.show(Phase.MAIN, 10 * SECOND, halfWay(0), latencies());
    assertThat(printed()).contains("left 00:35  stage 1/2 200/s");
    err.reset();
    live.show(Phase.MAIN, 20 * SECOND, halfWay(0), latencies());
    assertThat(printed()).contains("left 00:25  stage 2/2 1000/s").doesNotContain("%  sent");
    err.reset();
    live.show(Phase.DRAIN, 46 * SECOND, halfWay(0), latencies());
    assertThat(printed()).doesNotContain("left", "stage");
  }

  @Test
  void duplicatesAreRedIfColoursAreEnabled() {
    LiveLine live = live(plan, true, false);
    live.show(Phase.MAIN, SECOND, halfWay(0), latencies());
    assertThat(printed()).doesNotContain("\u001b");
    live.show(Phase.MAIN, 2 * SECOND, halfWay(3), latencies());
    assertThat(printed()).contains("\r\u001b[31mmain").contains("dup 3").contains("\u001b[0m");
  }

  /** Copies for disconnected members are not lost: they arrive after the reconnect. */
  @Test
  void missingCopiesAreShownAsDueAndNotAsLost() {
    LiveLine live = live(plan, false, false);
    live.show(Phase.DRAIN, SECOND, new Progress(20, 12, 100, 100, 7, 927, 0, 0), latencies());
    assertThat(printed()).contains("  due 927").doesNotContain("lost");
  }

  @Test
  void anIntervalWithoutDeliveriesHasNoLatency() {
    LiveLine live = live(plan, false, false);
    live.show(Phase.MAIN, SECOND, halfWay(0), new SeriesSet());
    assertThat(printed()).contains("  p50 -  p99 - ms  ");
  }

  @Test
  void pipeGetsALineEveryTenSecondsWithoutCarriageReturn() {
    LiveLine live = new LiveLine(stream(), Screen.NONE, plan, () -> cpu, OptionalDouble::empty);
    live.show(Phase.MAIN, 9 * SECOND, halfWay(0), latencies());
    assertThat(printed()).isEmpty();
    live.show(Phase.MAIN, 10 * SECOND, halfWay(0), latencies());
    live.show(Phase.MAIN, 11 * SECOND, halfWay(0), latencies());
    live.end();
    assertThat(printed())
        .hasLineCount(1)
        .startsWith("main    00:10")
        .contains("cpu")
        .doesNotContain("\r", "\u001b");
  }

  @Test
  void verdictIsGreenOrRedOnlyIfColoursAreEnabled() {
    Screen coloured = new Screen(true, true, true, () -> 80);
    assertThat(coloured.verdict(true, "PASS\nmore")).isEqualTo("\u001b[32mPASS\u001b[0m\nmore");
    assertThat(coloured.verdict(false, "FAIL")).isEqualTo("\u001b[31mFAIL\u001b[0m");
    assertThat(Screen.NONE.verdict(false, "FAIL\nmore")).isEqualTo("FAIL\nmore");
  }

  private static Progress halfWay(long duplicates) {
    return new Progress(20, 20, 100, 1_110, 7, 2, duplicates, 0);
  }

  private static Progress delivered(long copies) {
    return new Progress(20, 20, 100, copies, 7, 2, 0, 0);
  }

  private static SeriesSet latencies() {
    SeriesSet set = new SeriesSet();
    set.record(Series.DELIVERY, Clock.SERVICE, 4_000);
    return set;
  }

  private LiveLine live(Plan of, boolean colour, boolean blocks) {
    Screen screen = new Screen(true, colour, blocks, () -> columns);
    return new LiveLine(stream(), screen, of, () -> cpu, () -> OptionalDouble.of(41));
  }

  private PrintStream stream() {
    return new PrintStream(err, true, StandardCharsets.UTF_8);
  }

  private String printed() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
