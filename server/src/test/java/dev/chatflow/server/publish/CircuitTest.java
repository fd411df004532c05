package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class CircuitTest {

  private static final int FAILURES_TO_OPEN = 5;

  private final Circuit circuit = new Circuit(FAILURES_TO_OPEN);

  @Test
  void isOpenUntilTheFirstConnectionAndHalfOpenUntilTheFirstConfirm() {
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    circuit.connected();
    assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
    circuit.confirmed();
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void opensWhenTheConnectionIsLost() {
    close();
    circuit.lost("gone");
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    circuit.connected();
    assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
  }

  /**
   * The lane's thread was slower than the connection's, and posts were accepted without a broker.
   */
  @Test
  void confirmThatIsReportedAfterTheLossDoesNotCloseIt() {
    close();
    circuit.lost("gone");
    circuit.confirmed();
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    assertThat(circuit.why()).isEqualTo("gone");
    circuit.connected();
    circuit.confirmed();
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void opensAfterFiveFailuresInARow() {
    close();
    fail(4);
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    fail(1);
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void reportsWhyItIsOpen() {
    circuit.connected();
    circuit.failed("not confirmed: refused");
    assertThat(circuit.why()).isEqualTo("not confirmed: refused");
    circuit.lost("connection lost: gone");
    assertThat(circuit.why()).isEqualTo("connection lost: gone");
  }

  @Test
  void aConfirmEndsTheRow() {
    close();
    fail(4);
    circuit.confirmed();
    fail(4);
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void openedByFailuresItIsClosedByTheFirstConfirm() {
    close();
    fail(7);
    circuit.confirmed();
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  @RepeatedTest(50)
  void failuresOfSeveralThreadsAreAllCounted() throws Exception {
    close();
    CyclicBarrier start = new CyclicBarrier(FAILURES_TO_OPEN);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < FAILURES_TO_OPEN; i++) {
      threads.add(racing(start, () -> fail(1)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
  }

  private static Thread racing(CyclicBarrier start, Runnable action) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            start.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          action.run();
        });
  }

  private void close() {
    circuit.connected();
    circuit.confirmed();
    assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      circuit.failed("test");
    }
  }
}
