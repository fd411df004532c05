package dev.chatflow.client.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import dev.chatflow.client.series.SeriesSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The progress as a terminal and as a pipe get it. */
final class LiveLineTest {
  private static final long SECOND = 1_000_000_000;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long cpu;

  @Test
  void terminalHasOneLineThatIsRewrittenAndLeftClean() {
    LiveLine live = live(true);
    live.show(Phase.JOIN, SECOND, new Progress(20, 10, 0, 0, 0, 0, 0, 0), new SeriesSet());
    assertThat(printed()).isEqualTo("\rjoin    00:01 open 20 joined 10 of 20");
    err.reset();
    cpu = SECOND / 2;
    live.show(Phase.MAIN, 2 * SECOND, halfWay(), latencies());
    String main =
        "main    00:02 [##########..........] 50% sent 100 100/s  delivered 1110 1110/s"
            + "  p50 4 p99 4 ms  in-flight 7  due 2 dup 1  queue 41  cpu 50%";
    assertThat(printed()).isEqualTo("\r" + main);
    err.reset();
    live.end();
    assertThat(printed()).isEqualTo("\r" + " ".repeat(main.length()) + "\r");
  }

  /** Copies of members who are away are not lost: they get them when they are back. */
  @Test
  void copiesThatHaveNotComeAreDueAndNotLost() {
    LiveLine live = live(true);
    live.show(Phase.DRAIN, SECOND, new Progress(20, 12, 100, 900, 7, 927, 0, 0), latencies());
    assertThat(printed()).contains("  due 927 dup 0").doesNotContain("lost");
  }

  @Test
  void anIntervalWithoutDeliveriesHasNoLatency() {
    LiveLine live = live(true);
    live.show(Phase.MAIN, SECOND, halfWay(), new SeriesSet());
    assertThat(printed()).contains("  p50 - p99 - ms  ");
  }

  @Test
  void pipeHasALineInTenSecondsAndNoCarriageReturn() {
    LiveLine live = live(false);
    live.show(Phase.MAIN, 9 * SECOND, halfWay(), latencies());
    assertThat(printed()).isEmpty();
    live.show(Phase.MAIN, 10 * SECOND, halfWay(), latencies());
    live.show(Phase.MAIN, 11 * SECOND, halfWay(), latencies());
    live.end();
    assertThat(printed()).hasLineCount(1).startsWith("main    00:10 [").doesNotContain("\r");
  }

  private static Progress halfWay() {
    return new Progress(20, 20, 100, 1_110, 7, 2, 1, 0);
  }

  private static SeriesSet latencies() {
    SeriesSet set = new SeriesSet();
    set.record(Series.DELIVERY, Clock.SERVICE, 4_000);
    return set;
  }

  private LiveLine live(boolean terminal) {
    Plan plan = new TestPlan().rooms(2, 10).texts(10).build();
    return new LiveLine(
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        plan,
        () -> cpu,
        () -> OptionalDouble.of(41));
  }

  private String printed() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
