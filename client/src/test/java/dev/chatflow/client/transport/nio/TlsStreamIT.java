package dev.chatflow.client.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Identity;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Certificates;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests TLS on a selector: data in the TLS engine's buffers must not wait for the socket to become
 * ready.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsStreamIT implements ConnectionEvents {
  private static final int FRAMES = 4_000;
  private static final int LENGTH = 500;

  private @Nullable Identity shared;
  private @Nullable Connection connection;
  private boolean opened;
  private String end = "";
  private int texts;
  private int pauseAt;

  @Test
  void framesBeyondTheReadBufferArriveWithoutFurtherSocketEvents() throws Exception {
    try (NioTransport transport = transport(identity());
        Peer peer = Peer.start(identity())) {
      connect(transport, peer, "127.0.0.1");
      await(transport, () -> opened);
      peer.sendFrames();
      await(transport, () -> texts == FRAMES);
    }
  }

  @Test
  void pausedReaderGetsTheRestAfterItResumes() throws Exception {
    pauseAt = 100;
    try (NioTransport transport = transport(identity());
        Peer peer = Peer.start(identity())) {
      connect(transport, peer, "127.0.0.1");
      await(transport, () -> opened);
      peer.sendFrames();
      await(transport, () -> texts >= 100);
      transport.poll(20_000_000);
      int paused = texts;
      transport.poll(20_000_000);
      assertThat(texts).isEqualTo(paused).isLessThan(FRAMES);
      pauseAt = -1;
      connection().resumeReading();
      await(transport, () -> texts == FRAMES);
    }
  }

  @Test
  void framesThatDoNotFitIntoTheSocketAreWrittenLater() throws Exception {
    try (NioTransport transport = transport(identity());
        Peer peer = Peer.start(identity())) {
      connect(transport, peer, "127.0.0.1");
      await(transport, () -> opened);
      int frames = 0;
      while (connection().isWritable()) {
        FrameBatch batch = transport.batch();
        while (batch.hasSpaceFor(LENGTH)) {
          batch.begin(FrameBatch.OP_TEXT, LENGTH);
          batch.end();
          frames++;
        }
        connection().write(batch);
      }
      long bytes = frames * (LENGTH + 8L);
      peer.count();
      await(transport, () -> peer.received.get() == bytes);
      await(transport, () -> connection().isWritable());
    }
  }

  @Test
  void certificateForAnotherNameIsRefused(@TempDir Path directory) throws Exception {
    Identity other = Identity.of(directory, "dns:chat.example");
    try (NioTransport transport = transport(other);
        Peer peer = Peer.start(other)) {
      connect(transport, peer, "127.0.0.1");
      await(transport, () -> !end.isEmpty());
      assertThat(end).startsWith("refused").contains("subject alternative");
    }
  }

  @BeforeAll
  void createIdentity(@TempDir Path directory) throws Exception {
    shared = Identity.of(directory, "ip:127.0.0.1");
  }

  private Identity identity() {
    return Objects.requireNonNull(shared);
  }

  @BeforeEach
  void reset() {
    connection = null;
    opened = false;
    end = "";
    texts = 0;
    pauseAt = -1;
  }

  private static NioTransport transport(Identity trusted) throws IOException {
    return new NioTransport(1, new Access(List.of(), List.of(), Certificates.of(trusted.pem())));
  }

  private void connect(NioTransport transport, Peer peer, String host) {
    connection =
        transport.connect(
            URI.create("wss://" + host + ":" + peer.port() + "/chat/1"),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), peer.port()),
            "",
            this);
  }

  private Connection connection() {
    return Objects.requireNonNull(connection);
  }

  private static void await(NioTransport transport, BooleanSupplier done) throws IOException {
    while (!done.getAsBoolean()) {
      transport.poll(5_000_000);
    }
  }

  @Override
  public void opened() {
    opened = true;
  }

  @Override
  public void refused(String reason) {
    end = "refused " + reason;
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    texts++;
    if (texts == pauseAt) {
      connection().pauseReading();
    }
  }

  @Override
  public void writable() {}

  @Override
  public void closed(int code, String reason) {
    end = "closed " + code;
  }

  /** The server's end, which accepts one connection. */
  private static final class Peer implements AutoCloseable {
    private final ServerSocket listener;
    private final CompletableFuture<Socket> accepted = new CompletableFuture<>();
    private final AtomicLong received = new AtomicLong();

    private Peer(ServerSocket listener) {
      this.listener = listener;
    }

    static Peer start(Identity identity) throws IOException {
      Peer peer =
          new Peer(
              identity
                  .context()
                  .getServerSocketFactory()
                  .createServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().start(peer::accept);
      return peer;
    }

    int port() {
      return listener.getLocalPort();
    }

    private void accept() {
      try {
        Socket socket = listener.accept();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) in.readUnsignedByte());
        }
        String key = head.toString().replaceAll("(?s).*Sec-WebSocket-Key: (.*?)\r\n.*", "$1");
        socket
            .getOutputStream()
            .write(
                ("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: "
                        + Upgrade.acceptOf(key)
                        + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        accepted.complete(socket);
      } catch (IOException e) {
        accepted.completeExceptionally(e);
      }
    }

    /** Writes all frames on another thread, and then nothing more. */
    void sendFrames() {
      byte[] all = new byte[FRAMES * (LENGTH + 4)];
      for (int at = 0; at < all.length; at += LENGTH + 4) {
        all[at] = (byte) 0x81;
        all[at + 1] = 126;
        all[at + 2] = (byte) (LENGTH >>> 8);
        all[at + 3] = (byte) LENGTH;
      }
      Thread.ofVirtual()
          .start(() -> {
            try {
              accepted.join().getOutputStream().write(all);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }

    void count() {
      Thread.ofVirtual()
          .start(() -> {
            byte[] bytes = new byte[1 << 16];
            try {
              Socket socket = accepted.join();
              for (int n = 0; n >= 0; n = socket.getInputStream().read(bytes)) {
                received.addAndGet(n);
              }
            } catch (IOException e) {
              accepted.completeExceptionally(e); // the test is over
            }
          });
    }

    @Override
    public void close() throws IOException {
      listener.close();
      if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
        accepted.join().close();
      }
    }
  }
}
