package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.compat.Skier;
import dev.chatflow.client.plan.Wave;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WavesTest {
  private final List<String> lines = new ArrayList<>();

  @Test
  void nextWaveBeginsWhenAFifthHasFinished() {
    Waves waves =
        new Waves(List.of(new Wave("ONE", 10, 5), new Wave("TWO", 3, 1)), Skier.lines(lines::add));
    assertThat(waves.begun()).isZero();
    waves.begin();
    waves.begin(); // each load thread calls this
    assertThat(waves.begun()).isEqualTo(1);
    waves.finished(0);
    assertThat(waves.begun()).isEqualTo(1);
    waves.finished(0);
    assertThat(waves.begun()).isEqualTo(2);
    waves.finished(0);
    waves.finished(1);
    assertThat(lines)
        .containsExactly(
            "------ PHASE ONE INITIALIZED ------",
            "------ PHASE ONE: 20% OF THREADS COMPLETE ------",
            "------ PHASE TWO INITIALIZED ------",
            "------ PHASE TWO: 20% OF THREADS COMPLETE ------");
  }

  @Test
  void nothingIsPrintedWithoutWaves() {
    Waves waves = new Waves(List.of(), Skier.lines(lines::add));
    waves.begin();
    assertThat(waves.begun()).isZero();
    assertThat(lines).isEmpty();
  }
}
