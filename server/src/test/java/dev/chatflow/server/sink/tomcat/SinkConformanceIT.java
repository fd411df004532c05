package dev.chatflow.server.sink.tomcat;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.CloseReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract of every sink, on the wire of a real Tomcat: every byte of every frame in order,
 * whatever else happens on the connection.
 */
@ParameterizedClass(name = "{0}, TLS {1}")
@CsvSource({"PORTABLE,false", "DIRECT,false", "PORTABLE,true", "DIRECT,true"})
class SinkConformanceIT {

  /** Longer than a busy machine pauses a client that reads as fast as it can. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final int MESSAGES = 1_500;

  // The public API splits a text that is longer than the container's buffer.
  private static final int FIRST_PIECE = 0x01;
  private static final int PIECE = 0x00;
  private static final int LAST_PIECE = 0x80;

  /** The kind of client of a member. */
  private enum Kind {
    FAST,
    PINGING,
    SLOW,
    CLOSING,
    VANISHING
  }

  private final SinkMode mode;
  private final boolean tls;
  private SinkServer server;

  SinkConformanceIT(SinkMode mode, boolean tls) {
    this.mode = mode;
    this.tls = tls;
  }

  @BeforeEach
  void start() throws Exception {
    server = SinkServer.with(mode, tls, DEADLINE);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** Returns message {@code number}: the same for server and clients, 10 to 70,000 bytes. */
  private static byte[] message(int number) {
    Random random = new Random(number);
    int length = number % 100 == 99 ? 70_000 : 10 + random.nextInt(number % 7 == 0 ? 4_000 : 300);
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) ('a' + (number + i * 31) % 26);
    }
    byte[] head = (number + ":").getBytes(US_ASCII);
    System.arraycopy(head, 0, text, 0, head.length);
    return text;
  }

  @Test
  void everyByteInOrderAmongPingsErrorsClosesAndResets() throws Exception {
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    List<Connected> told = new ArrayList<>();
    AtomicInteger complete = new AtomicInteger();
    List<Kind> kinds = List.of(Kind.values());
    for (int i = 0; i < 25; i++) {
      Kind kind = kinds.get(i % kinds.size());
      SelfTestPeer peer = server.connect();
      Connected member = server.members.getLast();
      server.join(member);
      if (kind == Kind.FAST || kind == Kind.PINGING) {
        told.add(member);
      }
      clients.add(client(peer, kind, complete));
    }
    sayAll(told);
    SinkServer.Soon.until(() -> {
      server.tick();
      for (CompletableFuture<Void> client : clients) {
        if (client.isCompletedExceptionally()) {
          client.get(); // its failure, instead of a timeout
        }
      }
      return server.areCaughtUp() && complete.get() == 15;
    });
    for (Connected member : server.members) {
      member.close(CloseReason.NORMAL);
    }
    for (CompletableFuture<Void> client : clients) {
      client.get(SinkServer.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    SinkServer.Soon.until(() -> server.members.stream().allMatch(member -> member.ended));
    server.tick();
    SinkServer.Soon.until(() -> {
      server.tick();
      return server.logBytes() == 0;
    });
  }

  private void sayAll(List<Connected> told) {
    Random random = new Random(7);
    for (int number = 0; number < MESSAGES; number++) {
      server.say(number, message(number));
      if (number % 20 == 0) {
        Connected one = told.get(random.nextInt(told.size()));
        boolean _ = one.sink.tell("error frame for one".getBytes(US_ASCII));
        boolean _ = told.get(random.nextInt(told.size())).sink.ping();
        server.tick();
      }
    }
  }

  private CompletableFuture<Void> client(SelfTestPeer peer, Kind kind, AtomicInteger complete) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try (peer) {
        new Client(peer, kind, mode, complete).run();
        result.complete(null);
      } catch (Throwable t) {
        result.completeExceptionally(new AssertionError(kind + ": " + t, t));
      }
    });
    return result;
  }

  /** Reads everything and compares. */
  private static final class Client {
    private final SelfTestPeer peer;
    private final Kind kind;
    private final SinkMode mode;
    private final AtomicInteger complete;
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    private boolean counted;
    private int next;
    private int asked;
    private final Set<String> unanswered = new LinkedHashSet<>();

    Client(SelfTestPeer peer, Kind kind, SinkMode mode, AtomicInteger complete) {
      this.complete = complete;
      this.peer = peer;
      this.kind = kind;
      this.mode = mode;
    }

    void run() throws IOException {
      while (step(peer.receive())) {
        if (kind == Kind.SLOW && next % 100 == 0) {
          LockSupport.parkNanos(2_000_000);
        }
        if (!counted && next == MESSAGES && unanswered.isEmpty()) {
          counted = true;
          complete.incrementAndGet();
        }
        if (kind == Kind.PINGING && next % 10 == 0 && next < MESSAGES) {
          String ping = "ping " + asked++;
          unanswered.add(ping);
          peer.send(SelfTestPeer.PING, ping.getBytes(US_ASCII));
        }
        if (kind == Kind.VANISHING && next == MESSAGES / 3) {
          return; // its caller resets the connection
        }
        if (kind == Kind.CLOSING && next == MESSAGES / 2) {
          peer.send(SelfTestPeer.CLOSE, new byte[] {3, (byte) 0xe8});
          drain();
          return;
        }
      }
      assertThat(next).isEqualTo(MESSAGES);
      assertThat(unanswered).isEmpty();
      peer.send(SelfTestPeer.CLOSE, new byte[] {3, (byte) 0xe8});
      assertThat(peer.isAtEnd()).isTrue();
    }

    /**
     * Reads whole frames after the client's close, then the answer, then the end. Tomcat breaks
     * this rule under the portable sink: its own end of the gathering may tear a frame that is not
     * waited for any more.
     */
    private void drain() throws IOException {
      if (mode == SinkMode.PORTABLE) {
        awaitEnd();
        return;
      }
      SelfTestPeer.Received frame = peer.receive();
      while (frame.head() != SelfTestPeer.CLOSE) {
        assertThat(step(frame)).isTrue();
        frame = peer.receive();
      }
      assertThat(peer.isAtEnd()).isTrue();
    }

    private void awaitEnd() {
      try {
        while (!peer.isAtEnd()) {}
      } catch (IOException reset) {
        assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
      }
    }

    /**
     * Takes a pong. Each ping is answered once; under the portable sink pongs may overtake one
     * another.
     */
    private void takePong(String text) {
      if (mode == SinkMode.DIRECT) {
        assertThat(text).isEqualTo(unanswered.iterator().next());
      }
      assertThat(unanswered.remove(text)).as(text).isTrue();
    }

    /** Takes a frame; false if it was the close. */
    private boolean step(SelfTestPeer.Received frame) {
      String text = new String(frame.payload(), US_ASCII);
      switch (frame.head()) {
        case SelfTestPeer.TEXT -> take(frame.payload());
        case FIRST_PIECE, PIECE -> pieces.writeBytes(frame.payload());
        case LAST_PIECE -> {
          pieces.writeBytes(frame.payload());
          take(pieces.toByteArray());
          pieces.reset();
        }
        case SelfTestPeer.PONG -> takePong(text);
        case SelfTestPeer.PING -> assertThat(text).isEmpty();
        case SelfTestPeer.CLOSE -> {
          assertThat(frame.payload()).isEqualTo(new byte[] {3, (byte) 0xe8});
          return false;
        }
        default -> throw new AssertionError("frame " + Integer.toHexString(frame.head()));
      }
      return true;
    }

    private void take(byte[] payload) {
      String text = new String(payload, US_ASCII);
      if (!text.equals("JOIN") && !text.equals("error frame for one")) {
        assertThat(payload).isEqualTo(message(next));
        next++;
      }
    }
  }

  @Test
  void stalledReaderIsClosedWithoutDelayingOthers() throws Exception {
    try (SelfTestPeer stalled = server.connect();
        SelfTestPeer healthy = server.connect()) {
      Connected slow = server.members.getFirst();
      server.join(slow);
      server.join(server.members.getLast());
      CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> count(healthy));
      byte[] text = "x".repeat(8_000).getBytes(US_ASCII);
      int said = 0;
      while (slow.closing == null && said < 20_000) {
        server.say(said++, text);
        server.tick();
      }
      SinkServer.Soon.until(() -> {
        server.tick();
        return slow.ended;
      });
      server.say(said++, "the last".getBytes(US_ASCII));
      assertThat(read.get(SinkServer.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(said - 1);
      assertThat(stalled).isNotNull();
    }
  }

  /** Tomcat itself would break the connection after 50 ms. */
  @Test
  void slightlySlowPeerReceivesTheClose() throws Exception {
    try (SelfTestPeer behind = server.connect()) {
      Connected member = server.members.getLast();
      Thread talker = Thread.startVirtualThread(() -> talk(member));
      await()
          .atMost(SinkServer.PATIENCE)
          .until(() -> talker.getState() == Thread.State.TIMED_WAITING); // waits for the socket
      Thread closer =
          Thread.startVirtualThread(
              () -> member.wire.close(CloseReason.GOING_AWAY.code(), "reconnect after 7 ms"));
      await().during(Duration.ofMillis(300)).atMost(SinkServer.PATIENCE).until(() -> !member.ended);

      SelfTestPeer.Received frame = behind.receive();
      while (frame.head() != SelfTestPeer.CLOSE) {
        frame = behind.receive();
      }

      assertThat(new String(frame.payload(), 2, frame.payload().length - 2, US_ASCII))
          .isEqualTo("reconnect after 7 ms");
      closer.join();
      talker.join();
    }
  }

  private static void talk(Connected member) {
    String text = "z".repeat(8_000);
    try {
      while (true) {
        member.wire.text(text);
      }
    } catch (IOException | IllegalStateException _) {
      // closed
    }
  }

  /** Returns the number of texts before the last one. */
  private static int count(SelfTestPeer peer) {
    try {
      int count = 0;
      while (true) {
        byte[] text = peer.receive().payload();
        if (new String(text, US_ASCII).equals("the last")) {
          return count;
        }
        count += text.length == 8_000 ? 1 : 0;
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void manyResetsAtOnceEndTheirMembers() throws Exception {
    List<SelfTestPeer> peers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      peers.add(server.connect());
      server.join(server.members.getLast());
    }
    byte[] text = "y".repeat(8_000).getBytes(US_ASCII);
    for (int i = 0; i < 60; i++) {
      server.say(i, text);
    }
    for (SelfTestPeer peer : peers) {
      peer.close();
    }
    for (int i = 60; i < 120; i++) {
      server.say(i, text);
    }
    SinkServer.Soon.until(() -> {
      server.tick();
      return server.members.stream().allMatch(member -> member.ended && member.sink.isClosed());
    });
  }
}
