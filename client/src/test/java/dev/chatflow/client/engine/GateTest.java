package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.PhaseTimes;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class GateTest {
  private final PhaseTimes times = new PhaseTimes();
  private final AtomicInteger woken = new AtomicInteger();
  private long now = 10;
  private final Gate gate =
      new Gate(2, times, () -> new PhaseTimes.Mark(now, now * 2, MachineCpu.UNKNOWN));

  @BeforeEach
  void start() {
    gate.onChange(woken::incrementAndGet);
    gate.start();
  }

  @Test
  void phaseChangesWhenTheLastThreadHasArrived() {
    assertThat(gate.phase()).isEqualTo(Phase.CONNECT);
    gate.arrive(Phase.CONNECT);
    assertThat(gate.phase()).isEqualTo(Phase.CONNECT);
    now = 25;
    gate.arrive(Phase.CONNECT);
    assertThat(gate.phase()).isEqualTo(Phase.JOIN);
    assertThat(gate.phaseNanos()).isEqualTo(25);
    assertThat(woken).hasValue(1);
    assertThat(times.nanosBetween(Phase.CONNECT, Phase.JOIN)).isEqualTo(15);
    assertThat(times.cpuNanosBetween(Phase.CONNECT, Phase.JOIN)).isEqualTo(30);
  }

  @Test
  void arrivalAtAnEarlierPhaseIsIgnored() {
    gate.arrive(Phase.CONNECT);
    gate.arrive(Phase.CONNECT);
    gate.arrive(Phase.CONNECT);
    gate.arrive(Phase.JOIN);
    assertThat(gate.phase()).isEqualTo(Phase.JOIN);
  }

  @Test
  void phasesEndWithDone() {
    for (Phase phase : Phase.values()) {
      gate.arrive(phase);
      gate.arrive(phase);
    }
    assertThat(gate.phase()).isEqualTo(Phase.DONE);
  }

  @Test
  void stopWakesAllThreadsAndKeepsThePhase() {
    gate.stop();
    assertThat(gate.isStopped()).isTrue();
    assertThat(gate.phase()).isEqualTo(Phase.CONNECT);
    assertThat(woken).hasValue(1);
  }

  @Test
  void failedThreadEndsTheRun() {
    gate.arrive(Phase.CONNECT);
    gate.fail();
    assertThat(gate.phase()).isEqualTo(Phase.DONE);
    assertThat(gate.isStopped()).isTrue();
  }
}
