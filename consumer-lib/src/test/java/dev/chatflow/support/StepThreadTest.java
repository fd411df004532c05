package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StepThreadTest {

  private static final int MIB = 1 << 20;

  /** Only the thread ended, and its shards were never read again. */
  @Test
  void exhaustedDirectMemoryEndsTheProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=1m",
                "-cp",
                System.getProperty("java.class.path"),
                Greedy.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(3);
    assertThat(said).contains("chat-greedy").contains("direct buffer memory");
  }

  @Test
  void aStepIsRepeatedWhenItIsDue() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(3);
    try (StepThread thread = new StepThread("chat-test")) {
      thread.start(
          List.of(_ -> {
            asked.countDown();
            return 1;
          }));
      assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** One exception ended the thread, and with it all other machines. */
  @Test
  void aMachineThatFailsIsRestartedAndTheOthersGoOn() throws InterruptedException {
    CountDownLatch others = new CountDownLatch(3);
    Failing failing = new Failing();
    try (StepThread thread = new StepThread("chat-test")) {
      thread.start(
          List.of(
              failing,
              _ -> {
                others.countDown();
                return 1;
              }));
      assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(failing.again.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(failing.restarts).containsExactly("chat-test failed: IllegalStateException");
      assertThat(thread.trouble()).isEqualTo("chat-test failed: IllegalStateException");
    }
  }

  /** Fails at its first step. */
  private static final class Failing implements StepThread.Passive {
    private final List<String> restarts = new CopyOnWriteArrayList<>();
    private final CountDownLatch again = new CountDownLatch(3);

    @Override
    public long step(long nowNanos) {
      if (restarts.isEmpty()) {
        throw new IllegalStateException("a defect");
      }
      again.countDown();
      return 1;
    }

    @Override
    public void restart(String why, long nowNanos) {
      restarts.add(why);
    }
  }

  /** A process that only needs more direct memory than there is. */
  static final class Greedy {

    private Greedy() {}

    public static void main(String[] arguments) throws InterruptedException {
      StepThread thread = new StepThread("chat-greedy");
      thread.start(List.of(_ -> ByteBuffer.allocateDirect(2 * MIB).capacity()));
      new CountDownLatch(1).await(1, TimeUnit.MINUTES); // represents a server's other threads
    }
  }
}
