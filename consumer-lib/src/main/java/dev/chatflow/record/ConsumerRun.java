package dev.chatflow.record;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs the standalone consumer until another thread requests the stop, and prints its address and
 * when it is ready.
 */
final class ConsumerRun {

  private static final long PATIENCE_MILLIS = 5_000;
  private static final long POLL_MILLIS = 100;

  private final PrintStream out;
  private final CountDownLatch stop = new CountDownLatch(1);
  private boolean ready;
  private boolean warned;

  ConsumerRun(PrintStream out) {
    this.out = out;
  }

  /** Requests the stop. Any thread may call. */
  void requestStop() {
    stop.countDown();
  }

  /**
   * Serves until the stop was requested and everything read is recorded.
   *
   * @param fresh see {@link StandaloneConsumer}
   * @throws Exception the reason why it could not start or continue
   */
  void serve(StandaloneConfig config, boolean fresh, String version) throws Exception {
    try (StandaloneConsumer consumer = new StandaloneConsumer(config, fresh, version)) {
      consumer.start();
      out.println("consumer of " + config.broker());
      out.println("  record  " + consumer.record());
      out.println(
          "  api     " + consumer.url() + "/api/stats (audit, rooms, users, health, metrics)");
      long start = System.nanoTime();
      while (!stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        look(consumer, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      }
      out.println("stopping: recording everything that was read");
    }
  }

  private void look(StandaloneConsumer consumer, long millis) throws Exception {
    Exception failure = consumer.failure();
    if (failure != null) {
      throw failure;
    }
    if (!ready && consumer.isReady()) {
      ready = true;
      out.printf("ready after %.1f s; Ctrl-C stops%n", millis / 1e3);
    }
    if (!ready && !warned && millis > PATIENCE_MILLIS) {
      warned = true;
      out.println("not ready yet: waiting for " + consumer.needs() + ": " + consumer.trouble());
    }
  }
}
