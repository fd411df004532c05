package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests the figures of rooms, connections, phases and CPUs. */
final class RecordTest {
  @Test
  void phasesFollowEachOtherToTheEnd() {
    Phase phase = Phase.CONNECT;
    for (Phase expected : Phase.values()) {
      assertThat(phase).isEqualTo(expected);
      phase = phase.next();
    }
    assertThat(phase).isEqualTo(Phase.DONE);
  }

  @Test
  void timeBetweenPhasesIsZeroUntilBothHaveBegun() {
    PhaseTimes times = new PhaseTimes();
    times.begin(Phase.MAIN, new PhaseTimes.Mark(100, 10, new MachineCpu(1, 2, 3)));
    assertThat(times.nanosBetween(Phase.MAIN, Phase.DRAIN)).isZero();
    assertThat(times.cpuNanosBetween(Phase.MAIN, Phase.DRAIN)).isZero();
    assertThat(times.machineBetween(Phase.MAIN, Phase.DRAIN)).isEqualTo(MachineCpu.UNKNOWN);
    times.begin(Phase.DRAIN, new PhaseTimes.Mark(150, 30, new MachineCpu(11, 22, 33)));
    assertThat(times.nanosBetween(Phase.MAIN, Phase.DRAIN)).isEqualTo(50);
    assertThat(times.cpuNanosBetween(Phase.MAIN, Phase.DRAIN)).isEqualTo(20);
    assertThat(times.machineBetween(Phase.MAIN, Phase.DRAIN)).isEqualTo(new MachineCpu(10, 20, 30));
    assertThat(times.machineBetween(Phase.MAIN, Phase.DRAIN).totalNanos()).isEqualTo(60);
  }

  @Test
  void cpuUsesCanBeSubtracted() {
    assertThat(new CpuUse(9, 8, 7, 6).minus(new CpuUse(1, 2, 3, 4)))
        .isEqualTo(new CpuUse(8, 6, 4, 2));
  }

  @Test
  void figuresOfIdleRoomsAndConnectionsAreZero() {
    RoomFigures quiet = new RoomFigures(1, 5, 0, 0, 0, 0, 0, 0, 0);
    assertThat(quiet.throughput()).isZero();
    assertThat(quiet.meanEchoMillis()).isZero();
    ConnectionFigures idle = new ConnectionFigures(1, 0, 0, 0, 0);
    assertThat(idle.meanMillis()).isZero();
    assertThat(idle.receivedPerSecond()).isZero();
  }

  @Test
  void ratesRelateToTheWindowOfTheRoomOrConnection() {
    RoomFigures room = new RoomFigures(1, 5, 50, 50, 250, 2_000_000_000, 250_000_000, 4, 9);
    assertThat(room.throughput()).isCloseTo(25, within(1e-9));
    assertThat(room.meanEchoMillis()).isCloseTo(5, within(1e-9));
    ConnectionFigures one = new ConnectionFigures(1, 0, 100, 400_000_000, 500_000_000);
    assertThat(one.meanMillis()).isCloseTo(4, within(1e-9));
    assertThat(one.receivedPerSecond()).isCloseTo(200, within(1e-9));
  }

  @Test
  void progressOfThreadsIsAddedUp() {
    Progress one = new Progress(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(one.plus(one)).isEqualTo(new Progress(2, 4, 6, 8, 10, 12, 14, 16));
    assertThat(one.plus(Progress.NONE)).isEqualTo(one);
  }

  @Test
  void trafficOfThreadsIsAddedUp() {
    Traffic sum = new Traffic();
    Traffic one = new Traffic();
    one.reads = 1;
    one.bytesIn = 2;
    one.framesIn = 3;
    one.writes = 4;
    one.bytesOut = 5;
    one.framesOut = 6;
    one.fullSockets = 7;
    one.waitedNanos = 8;
    sum.add(one);
    sum.add(one);
    assertThat(sum).usingRecursiveComparison().isNotEqualTo(one);
    assertThat(sum.reads + sum.bytesIn + sum.framesIn + sum.writes).isEqualTo(20);
    assertThat(sum.bytesOut + sum.framesOut + sum.fullSockets + sum.waitedNanos).isEqualTo(52);
  }
}
