package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Random and mutated input from some connections, while others chat in the same room. */
@ParameterizedClass
@ValueSource(strings = {"portable", "direct"})
class HostileFramesIT {

  private static final int FRAMES = 10_000;
  private static final int PER_CONNECTION = 100;
  private static final long SEED = 20_261_120;

  private final Map<String, String> sink;

  HostileFramesIT(String sink) {
    this.sink = Map.of("CHATFLOW_SINK", sink);
  }

  private static final String HANDSHAKE =
      """
      GET /chat/5 HTTP/1.1\r
      Host: localhost\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Version: 13\r
      \r
      """;

  @Test
  void tenThousandInvalidFramesDisturbNoOtherClient() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one", sink);
        ChatClient one = ChatClient.joined(server.chat("5"), 1);
        ChatClient two = ChatClient.joined(server.chat("5"), 2)) {
      one.awaitType("JOIN", 2);
      Random random = new Random(SEED);
      int said = 0;
      for (int sent = 0; sent < FRAMES; sent += PER_CONNECTION) {
        attack(server.port(), random);
        one.send("TEXT", "line " + said);
        assertThat(one.awaitType("TEXT", 1).get("message").getAsString()).isEqualTo("line " + said);
        assertThat(two.awaitType("TEXT", 1).get("message").getAsString()).isEqualTo("line " + said);
        said++;
      }
      assertThat(one.isClosed() || two.isClosed()).isFalse();
      assertThat(server.get("/health").body()).contains("\"status\":\"UP\"");
      assertThat(server.isApplicationUp()).isTrue();
    }
  }

  /** The container answers them itself, so its count of frames is used. */
  @Test
  void pingsBeyondTheRateEndTheConnection() throws Exception {
    Map<String, String> limited = new HashMap<>(sink);
    limited.put("CHATFLOW_RATE_LIMIT", "50");
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one", limited);
        ChatClient other = ChatClient.joined(server.chat("5"), 1)) {
      assertThat(closeCodeOfAPingFlood(server.port())).isEqualTo(1008);
      other.send("TEXT", "still here");
      other.awaitType("TEXT", 1);
    }
  }

  /** Sends pings, a hundred at a time, until the server closes. */
  private static int closeCodeOfAPingFlood(int port) throws IOException {
    byte[] ping = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      skipHead(in);
      for (int sent = 0; ; sent++) {
        out.write(ping);
        if (sent % 100 == 99) {
          for (int answers = 0; answers < 100; answers++) {
            int head = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            if (head == 0x88) {
              return in.readUnsignedShort();
            }
            in.skipNBytes(length);
          }
        }
      }
    }
  }

  private static void skipHead(DataInputStream in) throws IOException {
    int ends = 0;
    while (ends < 4) { // the last of \r\n\r\n
      int next = in.readUnsignedByte();
      ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
    }
  }

  /** Sends on one connection until it is rejected; the server may end it. */
  private static void attack(int port, Random random) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 101");
      for (int i = 0; i < PER_CONNECTION; i++) {
        out.write(frame(random));
      }
    } catch (IOException _) {
      // closed by the server during the flood
    }
  }

  private static byte[] frame(Random random) {
    byte[] payload = payload(random);
    int opcode = random.nextInt(20) == 0 ? random.nextInt(256) : 0x81;
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
    frame.put((byte) opcode);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    }
    frame.putInt(0).put(payload);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static byte[] payload(Random random) {
    if (random.nextInt(4) == 0) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      return noise;
    }
    String[] types = {"JOIN", "TEXT", "LEAVE", "QUIT"};
    byte[] valid =
        ("{\"messageType\":\""
                + types[random.nextInt(types.length)]
                + "\",\"userId\":\""
                + (1_000 + random.nextInt(50))
                + "\",\"username\":\"noise\",\"message\":\"noise\",\"timestamp\":\"2026-11-20T18:46:00Z\"}")
            .getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(4); i > 0; i--) {
      valid[random.nextInt(valid.length)] = (byte) random.nextInt(128);
    }
    return valid;
  }
}
