package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.fake.VirtualTransport;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.PhaseTimes;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SelfHealthTest {
  private static final long SECOND = 1_000_000_000L;

  private final VirtualChat chat = new VirtualChat();
  private final VirtualTransport transport = new VirtualTransport(chat);
  private CpuUse cpu = CpuUse.NONE;
  private final LoadContext context = context();
  private final SelfHealth health = new SelfHealth(context, SECOND, () -> cpu, 2);

  @Test
  void punctualAndIdleLoopIsNotTheBottleneck() {
    health.start(0);
    interval(SECOND, 0.5, 1, 0.5, 0);
    assertThat(context.tally.of(Count.INTERVALS)).isEqualTo(1);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.BUSY_NANOS)).isEqualTo(SECOND / 2);
    assertThat(context.tally.of(Count.LOOP_CPU_NANOS)).isEqualTo(SECOND / 2);
  }

  @Test
  void loopThatHardlyWaitsAndUsesItsCoreIsSaturated() {
    health.start(0);
    interval(SECOND, 0.05, 0, 0.85, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(1);
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isZero();
  }

  @Test
  void loopThatHardlyWaitsButGetsLittleCpuIsStarved() {
    health.start(0);
    interval(SECOND, 0.05, 0, 0.4, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
  }

  @Test
  void lateLoopWithLittleWorkIsStarvedUnlessDeliveriesAreMuchSlower() {
    health.start(0);
    interval(SECOND, 0.6, 6, 0.2, 0);
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
    context.recorder.active().record(Series.DELIVERY, Clock.SERVICE, 100_000);
    interval(2 * SECOND, 0.6, 6, 0.2, 0);
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
  }

  /** The loop used 0.3 cores for 0.3 of the schedule, so the whole schedule needs a full core. */
  @Test
  void backlogOfTheScheduleCountsTowardsSaturation() {
    health.start(0);
    interval(SECOND, 0, 500, 0.3, 0.7);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(1);
    interval(2 * SECOND, 0, 500, 0.3, 0.7); // a backlog that does not grow means starvation
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(1);
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
  }

  /** The CPU time of 1 % of the schedule does not show how much the other 99 % need. */
  @Test
  void loopThatHardlyGotCpuIsStarvedEvenWithALargeBacklog() {
    health.start(0);
    interval(SECOND, 0, 500, 0.1, 0.99);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
  }

  @Test
  void threadsThatTogetherUseAllCoresAreSaturated() {
    health.start(0);
    cpu = new CpuUse(19 * SECOND / 10, 0, 0, 0);
    interval(SECOND, 0.05, 0, 0.3, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(1);
  }

  @Test
  void garbageCollectionCountsAsSaturation() {
    health.start(0);
    cpu = new CpuUse(SECOND / 5, SECOND / 5, 0, 0);
    interval(SECOND, 0.6, 200, 0.1, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(1);
  }

  @Test
  void collectionThatWaitsForACpuCountsAsStarvation() {
    health.start(0);
    cpu = new CpuUse(SECOND / 50, SECOND / 5, 0, 0);
    interval(SECOND, 0.6, 200, 0.01, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
  }

  /** Other threads of the process, such as the JIT compiler at startup, used the CPU time. */
  @Test
  void collectionWhileTheLoopWaitsForACpuCountsAsStarvation() {
    health.start(0);
    cpu = new CpuUse(SECOND / 2, SECOND / 4, 0, 6 * SECOND / 10);
    interval(SECOND, 0.6, 200, 0.1, 0);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isZero();
    assertThat(context.tally.of(Count.STARVED_INTERVALS)).isEqualTo(1);
  }

  @Test
  void intervalThatEndsLateCountsAsSeveral() {
    health.start(0);
    interval(4 * SECOND, 0, 0, 4, 0);
    assertThat(context.tally.of(Count.INTERVALS)).isEqualTo(4);
    assertThat(context.tally.of(Count.SATURATED_INTERVALS)).isEqualTo(4);
  }

  /** Ends an interval. Times are in seconds, the lateness is in milliseconds. */
  private void interval(long end, double waited, int lateMillis, double used, double backlog) {
    transport.traffic().waitedNanos += (long) (waited * SECOND);
    for (int i = 0; i < 100; i++) {
      health.noticed(lateMillis * 1_000_000L);
    }
    cpu =
        new CpuUse(
            cpu.processNanos(),
            cpu.collectionNanos(),
            cpu.threadNanos() + (long) (used * SECOND),
            cpu.queuedNanos());
    health.endInterval(end, (long) (backlog * SECOND));
  }

  private LoadContext context() {
    Plan plan = new TestPlan().pacing(Pacing.open(100, Pacing.UNBOUNDED, false)).build();
    Gate gate = new Gate(1, new PhaseTimes(), () -> new PhaseTimes.Mark(0, 0, MachineCpu.UNKNOWN));
    Waves waves = new Waves(List.of(), Wave.Listener.NONE);
    return new LoadContext(
        new RunContext(
            plan,
            gate,
            new Endpoints(plan.target()),
            waves,
            Trace.NONE,
            chat::nanoTime,
            0,
            0,
            null),
        transport);
  }
}
