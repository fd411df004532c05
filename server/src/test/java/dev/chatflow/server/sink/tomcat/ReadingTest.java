package dev.chatflow.server.sink.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.sink.FakeTimer;
import org.junit.jupiter.api.Test;

class ReadingTest {

  private final FakeReader reader = new FakeReader();
  private final FakeTimer timer = new FakeTimer();
  private final Reading reading = new Reading(reader, timer);

  @Test
  void stopsAndResumesOnChangesOnly() {
    reading.resume();
    reading.stop();
    reading.stop();
    reading.resume();
    reading.resume();
    assertThat(reader.calls).isEqualTo("suspend resume ");
    assertThat(timer.delays()).isEmpty();
  }

  @Test
  void resumptionWaitsUntilTheContainerHasStopped() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    timer.run();
    assertThat(reader.calls).isEqualTo("suspend ");
    reader.stopping = false;
    timer.run();
    assertThat(reader.calls).isEqualTo("suspend resume ");
    assertThat(timer.delays()).isEmpty();
  }

  @Test
  void lastCallWins() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    reading.stop();
    reader.stopping = false;
    timer.run();
    assertThat(reader.calls).isEqualTo("suspend ");
    reading.resume();
    assertThat(reader.calls).isEqualTo("suspend resume ");
  }

  @Test
  void oneRetryIsPendingAtMost() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    reading.stop();
    reading.resume();
    assertThat(timer.delays()).hasSize(1);
  }

  @Test
  void stateOfThisTomcatCanBeSeen() {
    assertThat(new ReadState().isVisible()).isTrue();
  }

  private static final class FakeReader implements Reading.Switch {
    private String calls = "";
    private boolean stopping;

    @Override
    public void suspend() {
      calls += "suspend ";
    }

    @Override
    public void resume() {
      calls += "resume ";
    }

    @Override
    public boolean isStopping() {
      return stopping;
    }
  }
}
