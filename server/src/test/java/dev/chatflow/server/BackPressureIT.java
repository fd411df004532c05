package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The whole chain: a stalled broker sends no confirms, so messages do not come back, windows fill,
 * senders are not read, TCP closes their windows, and their writes block; and back.
 */
class BackPressureIT {

  private static final int SENDERS = 10;

  /** More than sockets hold. */
  private static final int TEXTS = 40_000;

  private static final String TEXT = "x".repeat(400);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A member that writes as fast as the network accepts, and reads everything. */
  private static final class Flooder {
    private final RawPeer peer;
    private final int user;
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger bytesRead = new AtomicInteger();

    Flooder(int port, int user) throws IOException {
      this.peer = new RawPeer(port, Integer.toString(user), 0);
      this.user = user;
      peer.send("JOIN", user, "");
    }

    void start() {
      Thread.startVirtualThread(this::write);
      Thread.startVirtualThread(this::read);
    }

    private void write() {
      try {
        for (int i = 0; i < TEXTS; i++) {
          peer.send("TEXT", user, TEXT);
          written.incrementAndGet();
        }
      } catch (IOException _) {
        // visible in the count
      }
    }

    private void read() {
      try {
        for (int n = peer.read(65_536); n >= 0; n = peer.read(65_536)) {
          bytesRead.addAndGet(n);
        }
      } catch (IOException _) {
        // closed
      }
    }
  }

  private static int written(List<Flooder> flooders) {
    return flooders.stream().mapToInt(flooder -> flooder.written.get()).sum();
  }

  @Test
  void stalledBrokerClosesTheSendersWindowAndNothingGrows() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TcpProxy network = TcpProxy.to(broker.uri().getPort());
        TestServer server = TestServer.start(address(broker, network), "one")) {
      List<Flooder> flooders = new ArrayList<>();
      for (int user : IntStream.rangeClosed(1, SENDERS).toArray()) {
        flooders.add(new Flooder(server.port(), user));
      }
      await().atMost(PATIENCE).until(() -> server.stat("members") == SENDERS);

      network.freeze();
      flooders.forEach(Flooder::start);
      await().atMost(PATIENCE).until(() -> server.stat("paused") == SENDERS);
      int stuck = awaitStuck(flooders);
      int threads = platformThreads();
      long heap = usedHeap();
      assertThat(stuck).as("written before the windows closed").isLessThan(SENDERS * TEXTS);
      assertThat(server.stat("messagesIn"))
          .as("taken: a window of 16 each, a message in hand")
          .isLessThanOrEqualTo(SENDERS * (1 + 16 + 1));
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(4))
          .until(() -> written(flooders) == stuck);
      assertThat(platformThreads()).isLessThanOrEqualTo(threads + 1);
      assertThat(usedHeap()).isLessThan(heap + (4 << 20));

      network.restore();
      await().atMost(PATIENCE).until(() -> written(flooders) > stuck + SENDERS * 100);
      assertThat(server.stat("connections")).isEqualTo(SENDERS);
      for (Flooder flooder : flooders) {
        flooder.peer.close();
      }
      await().atMost(PATIENCE).until(() -> server.stat("members") == 0);
    }
  }

  /** Waits until no byte gets through for a second. */
  private static int awaitStuck(List<Flooder> flooders) {
    int[] last = {-1};
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          int before = last[0];
          last[0] = written(flooders);
          return before == last[0];
        });
    return last[0];
  }

  private static int platformThreads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.getThreadCount();
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static URI address(EmbeddedBroker broker, TcpProxy network) {
    return URI.create(
        broker.uri().toString().replace(":" + broker.uri().getPort(), ":" + network.port()));
  }
}
