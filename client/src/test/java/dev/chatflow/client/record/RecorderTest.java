package dev.chatflow.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RecorderTest {
  private final Recorder recorder = new Recorder();

  @Test
  void handedOverSetContainsTheValuesSinceTheLastHandover() {
    recorder.active().record(Series.ECHO, Clock.SERVICE, 10);
    assertThat(recorder.takeInterval()).isNull();
    recorder.handOver();
    recorder.active().record(Series.ECHO, Clock.SERVICE, 20);
    SeriesSet first = recorder.takeInterval();
    assertThat(first).isNotNull();
    assertThat(first.of(Series.ECHO, Clock.SERVICE).getMaxValue()).isEqualTo(10);
    recorder.giveBack(first);
    recorder.handOver();
    SeriesSet second = recorder.takeInterval();
    assertThat(second).isNotNull();
    assertThat(second.of(Series.ECHO, Clock.SERVICE).getTotalCount()).isEqualTo(1);
    assertThat(second.of(Series.ECHO, Clock.SERVICE).getMaxValue()).isEqualTo(20);
  }

  /** The load thread never waits: a slow observer gets a longer interval. */
  @Test
  void nothingIsLostWhenTheObserverIsSlow() {
    for (int i = 0; i < 5; i++) {
      recorder.active().record(Series.ECHO, Clock.SERVICE, 10);
      recorder.handOver();
    }
    SeriesSet first = recorder.takeInterval();
    assertThat(first).isNotNull();
    long seen = first.of(Series.ECHO, Clock.SERVICE).getTotalCount();
    recorder.giveBack(first);
    recorder.handOver();
    SeriesSet rest = recorder.takeInterval();
    assertThat(rest).isNotNull();
    assertThat(seen + rest.of(Series.ECHO, Clock.SERVICE).getTotalCount()).isEqualTo(5);
  }

  @Test
  void setThatWasNotTakenCannotBeGivenBack() {
    assertThatThrownBy(() -> recorder.giveBack(new SeriesSet()))
        .isInstanceOf(IllegalStateException.class);
  }
}
