package dev.chatflow.client.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the transport against a raw socket. */
@Timeout(30)
final class NioTransportIT {
  private final List<String> seen = new ArrayList<>();
  private final NioTransport transport = new NioTransport(7);
  private ServerSocket listener = unbound();
  private @Nullable Connection connected;
  private Socket peer = new Socket();
  private volatile long skipped;

  @BeforeEach
  void connect() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    connected =
        transport.connect(
            URI.create("ws://localhost:1/chat/5"), address, "X-Test: yes\r\n", events());
    peer = listener.accept();
  }

  @AfterEach
  void close() throws IOException {
    transport.close();
    peer.close();
    listener.close();
  }

  @Test
  void upgradeAndFirstFrameInOnePacketOpenAndDeliver() throws IOException {
    String key = request();
    send(response(key), new byte[] {(byte) 0x81, 2, 'h', 'i'});
    await("text hi");
    assertThat(seen).containsExactly("opened", "text hi");
  }

  /**
   * The kernel doubles the requested size. Without a request it would grow the buffer to megabytes.
   */
  @Test
  void receiveBufferOfTheSocketIsSmall() throws IOException {
    Process ss =
        new ProcessBuilder("ss", "-tmnOH", "sport = :" + peer.getPort())
            .redirectErrorStream(true)
            .start();
    String shown = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String most = Files.readAllLines(Path.of("/proc/sys/net/core/rmem_max")).getFirst();
    assertThat(shown).contains(",rb" + 2 * Math.min(256 << 10, Integer.parseInt(most)) + ",");
  }

  @Test
  void wrongAcceptHeaderIsRefused() throws IOException {
    request();
    send(response("dGhlIHNhbXBsZSBub25jZQ=="));
    await("refused wrong Sec-WebSocket-Accept");
  }

  @Test
  void otherStatusIsRefusedWithItsStatusLine() throws IOException {
    request();
    send(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    await("refused HTTP/1.1 503 Service Unavailable");
  }

  @Test
  void statusWithoutAReasonPhraseHasNoTrailingSpace() throws IOException {
    request();
    send("HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    await("refused HTTP/1.1 404");
  }

  @Test
  void pingIsAnsweredWithAMaskedPongOfTheSameBytes() throws IOException {
    send(response(request()), new byte[] {(byte) 0x89, 3, 'a', 'b', 'c'});
    await("opened");
    DataInputStream in = new DataInputStream(peer.getInputStream());
    transport.poll(50_000_000);
    assertThat(in.readUnsignedShort()).isEqualTo(0x8a83);
    assertThat(payload(in, 3)).isEqualTo("abc");
  }

  @Test
  void closeByTheServerIsAnsweredAndReported() throws IOException {
    send(response(request()), new byte[] {(byte) 0x88, 5, 0x0f, (byte) 0xa9, 'o', 'u', 't'});
    await("closed 4009 out");
    DataInputStream in = new DataInputStream(peer.getInputStream());
    assertThat(in.readUnsignedShort()).isEqualTo(0x8882);
  }

  @Test
  void endWithoutCloseFrameIs1006() throws IOException {
    send(response(request()));
    await("opened");
    peer.close();
    await("closed 1006 end of stream");
  }

  @Test
  void frameSentByteByByteArrivesComplete() throws IOException {
    send(response(request()));
    await("opened");
    byte[] whole = new byte[204];
    whole[0] = (byte) 0x81;
    whole[1] = 126;
    whole[2] = 0;
    whole[3] = (byte) 200;
    for (int i = 4; i < whole.length; i++) {
      whole[i] = 'x';
    }
    for (byte one : whole) {
      send(new byte[] {one});
      transport.poll(1_000_000);
    }
    await("text " + "x".repeat(200));
  }

  @Test
  void framesThatDoNotFitIntoTheSocketAreWrittenLater() throws IOException, InterruptedException {
    send(response(request()));
    await("opened");
    Connection connection = Objects.requireNonNull(connected);
    int frames = 0;
    while (connection.isWritable()) {
      FrameBatch batch = transport.batch();
      while (batch.hasSpaceFor(1_000)) {
        batch.begin(FrameBatch.OP_TEXT, 1_000);
        batch.end();
        frames++;
      }
      connection.write(batch);
    }
    assertThat(transport.traffic().fullSockets).isEqualTo(1);
    long bytes = frames * 1_008L;
    Thread reader = Thread.ofPlatform().start(() -> skip(bytes));
    await("writable");
    assertThat(connection.isWritable()).isTrue();
    assertThat(transport.traffic().bytesOut).isEqualTo(bytes);
    reader.join();
    assertThat(skipped).isEqualTo(bytes);
  }

  private void skip(long bytes) {
    try {
      peer.getInputStream().skipNBytes(bytes);
      skipped = bytes;
    } catch (IOException e) {
      skipped = -1; // the transport closed too early
    }
  }

  private void await(String event) throws IOException {
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (!seen.contains(event) && System.nanoTime() < deadline) {
      transport.poll(5_000_000);
    }
    assertThat(seen).contains(event);
  }

  private String request() throws IOException {
    DataInputStream in = new DataInputStream(peer.getInputStream());
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      if (in.available() == 0) {
        transport.poll(1_000_000);
      } else {
        text.append((char) in.readUnsignedByte());
      }
    }
    assertThat(text).startsWith("GET /chat/5 HTTP/1.1\r\nHost: localhost:1\r\n");
    int key = text.indexOf("Sec-WebSocket-Key: ") + 19;
    return text.substring(key, text.indexOf("\r", key));
  }

  private static byte[] response(String key) {
    return ("HTTP/1.1 101 Switching Protocols\r\nsec-websocket-accept: "
            + Upgrade.acceptOf(key)
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private void send(byte[]... parts) throws IOException {
    OutputStream out = peer.getOutputStream();
    for (byte[] part : parts) {
      out.write(part);
    }
    out.flush();
  }

  private static String payload(DataInputStream in, int length) throws IOException {
    byte[] mask = in.readNBytes(4);
    byte[] bytes = in.readNBytes(length);
    for (int i = 0; i < length; i++) {
      bytes[i] ^= mask[i % 4];
    }
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private ConnectionEvents events() {
    return new ConnectionEvents() {
      @Override
      public void opened() {
        seen.add("opened");
      }

      @Override
      public void refused(String reason) {
        seen.add("refused " + reason);
      }

      @Override
      public void text(byte[] bytes, int from, int to) {
        seen.add("text " + new String(bytes, from, to - from, StandardCharsets.US_ASCII));
      }

      @Override
      public void writable() {
        seen.add("writable");
      }

      @Override
      public void closed(int code, String reason) {
        seen.add("closed " + code + " " + reason);
      }
    };
  }

  private static ServerSocket unbound() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
