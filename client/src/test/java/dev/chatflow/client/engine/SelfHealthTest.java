package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.plan.Connecting;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.PhaseTimes;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.HttpEvents;
import dev.chatflow.client.transport.Transport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SelfHealthTest {
  private static final long SECOND = 1_000_000_000L;

  private final Idle transport = new Idle();
  private CpuUse cpu = CpuUse.NONE;
  private final LoadContext context = context();
  private final SelfHealth health = new SelfHealth(context, SECOND, () -> cpu, 2);

  @Test
  void punctualAndIdleLoopIsNotTheBottleneck() {
    health.start(0);
    interval(SECOND, 0.5, 1, 0.5, 0);
    assertThat(context.tally.intervals).isEqualTo(1);
    assertThat(context.tally.saturatedIntervals).isZero();
    assertThat(context.tally.starvedIntervals).isZero();
    assertThat(context.tally.busyNanos).isEqualTo(SECOND / 2);
    assertThat(context.tally.loopCpuNanos).isEqualTo(SECOND / 2);
  }

  @Test
  void loopThatHardlyWaitsAndComputesAllTheTimeIsSaturated() {
    health.start(0);
    interval(SECOND, 0.05, 0, 0.85, 0);
    assertThat(context.tally.saturatedIntervals).isEqualTo(1);
    assertThat(context.tally.starvedIntervals).isZero();
  }

  @Test
  void loopThatHardlyWaitsButIsKeptFromTheCpuIsStarved() {
    health.start(0);
    interval(SECOND, 0.05, 0, 0.4, 0);
    assertThat(context.tally.saturatedIntervals).isZero();
    assertThat(context.tally.starvedIntervals).isEqualTo(1);
  }

  @Test
  void lateLoopWithLittleWorkIsStarvedUnlessDeliveriesAreMuchSlower() {
    health.start(0);
    interval(SECOND, 0.6, 6, 0.2, 0);
    assertThat(context.tally.starvedIntervals).isEqualTo(1);
    context.recorder.active().record(Series.DELIVERY, Clock.SERVICE, 100_000);
    interval(2 * SECOND, 0.6, 6, 0.2, 0);
    assertThat(context.tally.starvedIntervals).isEqualTo(1);
    assertThat(context.tally.saturatedIntervals).isZero();
  }

  /** A third of a core for a third of the schedule: the whole of it needs a core. */
  @Test
  void workThatTheScheduleStillOwesCountsToo() {
    health.start(0);
    interval(SECOND, 0, 500, 0.3, 0.7);
    assertThat(context.tally.saturatedIntervals).isEqualTo(1);
    interval(2 * SECOND, 0, 500, 0.3, 0.7); // not further behind: others are slow with the CPU
    assertThat(context.tally.saturatedIntervals).isEqualTo(1);
    assertThat(context.tally.starvedIntervals).isEqualTo(1);
  }

  @Test
  void threadsThatUseUpTheMachineAmongThemselvesAreSaturated() {
    health.start(0);
    cpu = new CpuUse(19 * SECOND / 10, 0, 0, 0);
    interval(SECOND, 0.05, 0, 0.3, 0);
    assertThat(context.tally.saturatedIntervals).isEqualTo(1);
  }

  @Test
  void garbageCollectionIsTheClientsOwnFault() {
    health.start(0);
    cpu = new CpuUse(SECOND / 5, SECOND / 5, 0, 0);
    interval(SECOND, 0.6, 200, 0.1, 0);
    assertThat(context.tally.saturatedIntervals).isEqualTo(1);
  }

  @Test
  void collectionThatHadToWaitForACpuIsNotItsFault() {
    health.start(0);
    cpu = new CpuUse(SECOND / 50, SECOND / 5, 0, 0);
    interval(SECOND, 0.6, 200, 0.01, 0);
    assertThat(context.tally.saturatedIntervals).isZero();
    assertThat(context.tally.starvedIntervals).isEqualTo(1);
  }

  @Test
  void loopTooBusyToEndItsIntervalsHasUsedUpSeveral() {
    health.start(0);
    interval(4 * SECOND, 0, 0, 4, 0);
    assertThat(context.tally.intervals).isEqualTo(4);
    assertThat(context.tally.saturatedIntervals).isEqualTo(4);
  }

  /** Times in seconds, lateness in milliseconds. */
  private void interval(long end, double waited, int lateMillis, double used, double backlog) {
    transport.traffic.waitedNanos += (long) (waited * SECOND);
    for (int i = 0; i < 100; i++) {
      health.noticed(lateMillis * 1_000_000L);
    }
    cpu =
        new CpuUse(
            cpu.processNanos(),
            cpu.collectionNanos(),
            cpu.threadNanos() + (long) (used * SECOND),
            0);
    health.endInterval(end, (long) (backlog * SECOND));
  }

  private LoadContext context() {
    Target target = new Target(List.of("ws://127.0.0.1:1/chat"));
    Plan plan =
        new Plan(
            target,
            new Workload(1, 1, 1, 0, Duration.ZERO, Duration.ZERO),
            Pacing.open(100, Pacing.UNBOUNDED, false),
            new Connecting(1, 1, 0, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), 0, false),
            new Judging(Judging.Level.EXACTLY_ONCE, Duration.ZERO, false, List.of()),
            Disturbance.NONE,
            "ab12",
            1);
    Gate gate = new Gate(1, new PhaseTimes(), () -> new PhaseTimes.Mark(0, 0, MachineCpu.UNKNOWN));
    return new LoadContext(
        plan, transport, gate, new Endpoints(target), new Waves(List.of()), 0, Trace.NONE);
  }

  /** A transport without connections. */
  private static final class Idle implements Transport {
    private final Traffic traffic = new Traffic();
    private final FrameBatch batch = new FrameBatch(64, 1);

    @Override
    public Connection connect(URI uri, InetSocketAddress address, ConnectionEvents events) {
      throw new UnsupportedOperationException("no connections here");
    }

    @Override
    public HttpChannel http(URI uri, InetSocketAddress address, HttpEvents events) {
      throw new UnsupportedOperationException("no connections here");
    }

    @Override
    public void poll(long nanos) {}

    @Override
    public long readNanos() {
      return 0;
    }

    @Override
    public FrameBatch batch() {
      return batch;
    }

    @Override
    public Traffic traffic() {
      return traffic;
    }

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
  }
}
