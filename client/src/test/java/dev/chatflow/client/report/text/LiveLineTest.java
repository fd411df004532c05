package dev.chatflow.client.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import dev.chatflow.client.series.SeriesSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
            + "  p50 4 p99 4 ms  in-flight 7  lost 2 dup 1  queue 41  cpu 50%";
    assertThat(printed()).isEqualTo("\r" + main);
    err.reset();
    live.end();
    assertThat(printed()).isEqualTo("\r" + " ".repeat(main.length()) + "\r");
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
    Plan plan =
        new Plan(
            new Target(List.of("ws://localhost:8080/chat")),
            new Workload(2, 10, 200, 0, Duration.ZERO, Duration.ZERO),
            Pacing.burst(),
            new Connecting(
                1,
                500,
                5,
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Connecting.ALL,
                false),
            new Judging(Judging.Level.EXACTLY_ONCE, Duration.ofSeconds(10), false, List.of()),
            Disturbance.NONE,
            "abcd",
            1);
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
