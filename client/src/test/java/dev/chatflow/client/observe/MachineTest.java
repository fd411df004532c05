package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.Samples;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Tests the description of this machine and process. */
final class MachineTest {
  @Test
  void machineIsDescribedInALine() {
    assertThat(Machine.here().line())
        .startsWith(Runtime.getRuntime().availableProcessors() + " x ")
        .contains(System.getProperty("os.name"), "JDK " + Runtime.version().feature())
        .doesNotContain("null");
  }

  @Test
  void cpuTimesOfTheMachineNeverDecrease() {
    MachineCpu before = Machine.cpu();
    MachineCpu after = Machine.cpu();
    assertThat(after.minus(before).totalNanos()).isNotNegative();
    assertThat(after.busyNanos()).isGreaterThanOrEqualTo(before.busyNanos());
  }

  @Test
  void cpuTimesOfTheProcessNeverDecrease() {
    CpuUse first = OwnProcess.cpuUse();
    CpuUse second = OwnProcess.cpuUse();
    assertThat(second.threadNanos()).isGreaterThanOrEqualTo(first.threadNanos());
    assertThat(second.queuedNanos()).isGreaterThanOrEqualTo(first.queuedNanos());
    assertThat(second.collectionNanos()).isGreaterThanOrEqualTo(first.collectionNanos());
    assertThat(second.processNanos()).isPositive();
  }

  @Test
  void eachSampleOfTheProcessIsARow() {
    OwnWatch watch = new OwnWatch(() -> 7);
    watch.watch(1);
    watch.watch(1);
    Samples samples = watch.samples();
    assertThat(samples.columns())
        .containsExactly("cpuPercent", "heapMegabytes", "gcMillis", "hiccupMillis");
    assertThat(samples.seconds()).containsExactly(7, 7);
    assertThat(DoubleStream.of(samples.column("heapMegabytes"))).allMatch(used -> used > 0);
    assertThat(samples.gaps()).isZero();
  }

  @Test
  void interruptedSampleEndsAtOnce() {
    OwnWatch watch = new OwnWatch(() -> 0);
    Thread.currentThread().interrupt();
    watch.watch(Long.MAX_VALUE);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(watch.samples().size()).isEqualTo(1);
  }
}
