package dev.chatflow.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class BenchmarksTest {

  @Test
  void everyBenchmarkRuns() throws RunnerException {
    OptionsBuilder once = new OptionsBuilder();
    once.include("dev.chatflow.*Benchmark").shouldFailOnError(true);
    once.forks(0).warmupIterations(0).measurementIterations(1);
    once.measurementTime(TimeValue.milliseconds(10)).verbosity(VerboseMode.SILENT);
    assertThat(new Runner(once.build()).run()).hasSize(21);
  }
}
