package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row of the protocol's tables on the wire, on one server with the embedded broker. */
@ParameterizedClass
@ValueSource(strings = {"portable", "direct"})
class ProtocolIT {

  @SuppressWarnings("NullAway.Init") // before each round of the class
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static TestServer server;

  private static int lastRoom;

  private final String room = "protocol-" + ++lastRoom;
  private final String sink;

  ProtocolIT(String sink) {
    this.sink = sink;
  }

  @BeforeParameterizedClassInvocation
  static void start(String sink) throws Exception {
    broker = EmbeddedBroker.start();
    Map<String, String> settings = Map.of("CHATFLOW_MAX_CONNECTIONS", "20", "CHATFLOW_SINK", sink);
    server = TestServer.start(broker.uri(), "protocol", settings);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    server.close();
    broker.close();
  }

  private ChatClient connect(int user) {
    return ChatClient.connect(server.chat(room), user);
  }

  private static void assertError(JsonObject error, int status, String code) {
    assertThat(error.get("status").getAsInt()).isEqualTo(status);
    assertThat(error.get("errorCode").getAsString()).isEqualTo(code);
    assertThat(error.get("error").getAsString()).isNotBlank();
    assertThat(error.get("serverTimestamp").getAsString())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(error.has("errors")).isEqualTo(code.equals("VALIDATION_FAILED"));
  }

  @Test
  void malformedMessageIsAnsweredAndTheConnectionStaysOpen() {
    try (ChatClient client = connect(1)) {
      client.sendRaw("not json");
      assertError(client.nextJson(), 400, "MALFORMED_JSON");
      client.send("JOIN", "");
      assertThat(client.nextJson().get("messageType").getAsString()).isEqualTo("JOIN");
    }
  }

  @Test
  void twentiethMalformedInARowIsAnsweredThenClosed() {
    try (ChatClient client = connect(1)) {
      for (int i = 0; i < 20; i++) {
        client.sendRaw("{");
      }
      for (int i = 0; i < 20; i++) {
        assertError(client.nextJson(), 400, "MALFORMED_JSON");
      }
      assertThat(client.awaitClosed().code()).isEqualTo(1008);
    }
  }

  @Test
  void wrongFieldsAreAllNamed() {
    try (ChatClient client = connect(1)) {
      client.sendRaw(
          "{\"messageType\":\"TEXT\",\"userId\":0,\"username\":\"user1\",\"message\":\"\","
              + "\"timestamp\":\"2026-11-20T18:46:00Z\",\"messageId\":\"c-1\"}");
      JsonObject error = client.nextJson();
      assertError(error, 422, "VALIDATION_FAILED");
      assertThat(error.getAsJsonObject("errors").keySet())
          .containsExactlyInAnyOrder("userId", "message");
      assertThat(error.get("messageId").getAsString()).isEqualTo("c-1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TEXT", "LEAVE"})
  void messageBeforeJoinIsRefused(String type) {
    try (ChatClient client = connect(1)) {
      client.send(type, "hello");
      assertError(client.nextJson(), 409, "NOT_JOINED");
    }
  }

  @Test
  void joinWhileJoinedIsRefusedAndTheMembershipStays() {
    try (ChatClient client = ChatClient.joined(server.chat(room), 1)) {
      client.send("JOIN", "");
      assertError(client.nextJson(), 409, "ALREADY_JOINED");
      client.send("TEXT", "still here");
      assertThat(client.awaitType("TEXT", 1).get("message").getAsString()).isEqualTo("still here");
    }
  }

  @Test
  void anotherUserOnAJoinedConnectionIsRefused() {
    try (ChatClient client = ChatClient.joined(server.chat(room), 1);
        ChatClient other = ChatClient.joined(server.chat(room), 2)) {
      client.awaitType("JOIN", 2);
      client.sendRaw(client.frame("TEXT", "x").replace("\"userId\":\"1\"", "\"userId\":\"3\""));
      assertError(client.nextJson(), 422, "USER_MISMATCH");
      client.send("TEXT", "mine");
      assertThat(other.nextJson().get("message").getAsString()).isEqualTo("mine");
    }
  }

  @Test
  void broadcastHasAllFieldsInOrderAndTheSameBytesForEveryMember() {
    try (ChatClient one = ChatClient.joined(server.chat(room), 1);
        ChatClient two = ChatClient.joined(server.chat(room), 2)) {
      one.awaitType("JOIN", 2);
      one.sendRaw(one.frame("TEXT", "hi").replace("}", ",\"messageId\":\"c-9\"}"));
      String first = one.next();
      assertThat(two.next()).isEqualTo(first);
      assertThat(first)
          .matches(
              "\\{\"messageType\":\"TEXT\",\"roomId\":\""
                  + room
                  + "\",\"userId\":\"1\",\"username\":\"user1\",\"message\":\"hi\","
                  + "\"timestamp\":\"2026-11-20T18:46:00.123Z\",\"messageId\":\"c-9\","
                  + "\"serverTimestamp\":\"[-0-9T:.]+Z\",\"serverId\":\"protocol\",\"status\":200\\}");
    }
  }

  @Test
  void tooLongMessageEndsWith1009AlsoWhenFragmented() {
    try (ChatClient client = connect(1);
        ChatClient fragments = connect(2)) {
      client.sendRaw("x".repeat(8_193));
      assertThat(client.awaitClosed().code()).isEqualTo(1009);
      for (int i = 0; i < 9; i++) {
        fragments.sendPart("y".repeat(1_000), i == 8);
      }
      assertThat(fragments.awaitClosed().code()).isEqualTo(1009);
    }
  }

  /** They contain no bytes, so the bound in bytes never ends them. */
  @Test
  void fragmentsWithoutEndEndWith1009() throws IOException {
    byte[] fragments = new byte[6 * 200];
    for (int i = 0; i < 200; i++) {
      fragments[6 * i] = (byte) (i == 0 ? 0x01 : 0x00);
      fragments[6 * i + 1] = (byte) 0x80;
    }
    assertThat(closeCodeAfter(fragments)).isEqualTo(1009);
  }

  @Test
  void messageInSixtyFourFragmentsIsRead() {
    try (ChatClient client = connect(1)) {
      String frame = client.frame("JOIN", "");
      String padded = " ".repeat(8_192 - frame.length()) + frame;
      for (int i = 0; i < 64; i++) {
        client.sendPart(padded.substring(128 * i, 128 * (i + 1)), i == 63);
      }
      assertThat(client.nextJson().get("messageType").getAsString()).isEqualTo("JOIN");
    }
  }

  @Test
  void messageOfExactlyTheLimitIsRead() {
    try (ChatClient client = connect(1)) {
      String frame = client.frame("JOIN", "");
      client.sendRaw(" ".repeat(8_192 - frame.length()) + frame);
      assertThat(client.nextJson().get("messageType").getAsString()).isEqualTo("JOIN");
    }
  }

  @Test
  void binaryMessageEndsWith1003() {
    try (ChatClient client = connect(1)) {
      client.sendBinary(new byte[] {1, 2, 3});
      assertThat(client.awaitClosed().code()).isEqualTo(1003);
    }
  }

  @Test
  void badUtf8EndsWith1007AndABrokenFrameWith1002() throws IOException {
    byte[] badUtf8 = {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, (byte) 0xc3, (byte) 0x28};
    assertThat(closeCodeAfter(badUtf8)).isEqualTo(1007);
    byte[] reservedOpcode = {(byte) 0x83, (byte) 0x80, 0, 0, 0, 0};
    assertThat(closeCodeAfter(reservedOpcode)).isEqualTo(1002);
    byte[] unmasked = {(byte) 0x81, 0x01, 'x'};
    assertThat(closeCodeAfter(unmasked)).isEqualTo(1002);
  }

  /** Sends bytes after a handshake and reads the close frame. */
  private int closeCodeAfter(byte[] frame) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(handshake(room).getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) in.read());
      }
      assertThat(head).startsWith("HTTP/1.1 101");
      out.write(frame);
      assertThat(in.read()).isEqualTo(0x88);
      in.read();
      return in.read() << 8 | in.read();
    }
  }

  private static String handshake(String room) {
    return """
    GET /chat/%s HTTP/1.1\r
    Host: localhost\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r
    \r
    """
        .formatted(room);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "with%20space", "%C3%A4", "a/b", ""})
  void badRoomIsRefusedBeforeTheUpgrade(String bad) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(handshake(bad).getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 400");
    }
  }

  /** A browser does not show the status of a handshake to its page, which would retry forever. */
  @Test
  void pageOfAnotherOriginGetsOnlyACloseWithTheReason() throws IOException {
    String own = "Origin: http://localhost:" + server.port() + "\r\n";
    assertThat(statusOf("localhost:" + server.port(), own)).isEqualTo("HTTP/1.1 101");
    String rebound = "evil.test:" + server.port();
    assertThat(statusOf(rebound, "")).as("no page").isEqualTo("HTTP/1.1 403");
    assertThat(closeOf("localhost", "Origin: https://evil.test\r\n"))
        .isEqualTo(
            "pages of the origin https://evil.test may not use this server; add the origin to"
                + " CHATFLOW_ORIGINS to allow it");
    assertThat(closeOf("localhost", "Origin: null\r\n")).contains("the origin null");
    assertThat(closeOf(rebound, "Origin: http://" + rebound + "\r\n"))
        .as("its name was made to lead here")
        .contains("bound to loopback");
  }

  /** Returns the reason of the only frame after the upgrade, which has code 1008. */
  private String closeOf(String host, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      String lines =
          handshake(room).replaceFirst("Host: localhost\r\n", "Host: " + host + "\r\n" + headers);
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) socket.getInputStream().read());
      }
      assertThat(head.toString()).startsWith("HTTP/1.1 101");
      byte[] frame = socket.getInputStream().readNBytes(4);
      assertThat(frame[0]).isEqualTo((byte) 0x88);
      assertThat(frame).endsWith(1008 >> 8, 1008 & 0xff);
      byte[] reason = socket.getInputStream().readNBytes(frame[1] - 2);
      return new String(reason, StandardCharsets.US_ASCII);
    }
  }

  private String statusOf(String host, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      String lines =
          handshake(room).replaceFirst("Host: localhost\r\n", "Host: " + host + "\r\n" + headers);
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void unknownSubprotocolIsNotSelectedAndAccepted() {
    try (var http = java.net.http.HttpClient.newHttpClient()) {
      var socket =
          http.newWebSocketBuilder()
              .subprotocols("foreign")
              .buildAsync(server.chat(room), new java.net.http.WebSocket.Listener() {})
              .join();
      assertThat(socket.getSubprotocol()).isEmpty();
      socket.abort();
    }
  }

  @Test
  void chatWithoutUpgradeLeadsToThePage() throws IOException {
    HttpResponse<String> answer = server.get("/chat/" + room);
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location")).hasValue("../rooms/" + room);
  }

  @Test
  void connectionsBeyondTheMaximumAreClosed1013() {
    java.util.List<ChatClient> clients = new java.util.ArrayList<>();
    try {
      for (int i = 1; i <= 20; i++) {
        clients.add(connect(i));
      }
      awaitConnections(20); // a handshake is answered before its connection counts
      try (ChatClient beyond = connect(21)) {
        assertThat(beyond.awaitClosed().code()).isEqualTo(1013);
      }
    } finally {
      clients.forEach(ChatClient::close);
    }
    awaitConnections(0);
  }

  private void awaitConnections(int number) {
    org.awaitility.Awaitility.await()
        .until(() -> server.get("/health").body().contains("\"connections\":" + number));
  }

  @Test
  void membersAndStatisticsAreListed() throws IOException {
    try (ChatClient client = ChatClient.joined(server.chat(room), 7)) {
      assertThat(server.get("/api/rooms").body())
          .contains("{\"roomId\":\"" + room + "\",\"members\":1}");
      assertThat(server.get("/api/rooms/" + room).body())
          .contains("\"userId\":\"7\",\"username\":\"user7\",\"joinedAt\":\"2");
      assertThat(server.get("/api/rooms/nobody-here").body())
          .isEqualTo("{\"roomId\":\"nobody-here\",\"count\":0,\"complete\":true,\"members\":[]}");
      assertThat(server.get("/api/rooms/a.b").statusCode()).isEqualTo(400);
      assertThat(server.get("/api/stats").body())
          .contains("\"serverId\":\"protocol\"", "\"messagesIn\":", "\"lanes\":[{\"shard\":0");
      assertThat(client.isClosed()).isFalse();
    }
  }

  @Test
  void healthAndReadyReportTheState() throws IOException {
    assertThat(server.get("/health").body())
        .contains(
            "\"status\":\"UP\"",
            "\"sink\":\"" + sink + "\"",
            "\"broker\":{\"publisher\":\"OPEN\",\"consumer\":\"OPEN\",\"circuit\":\"CLOSED\"}");
    assertThat(server.get("/ready").statusCode()).isEqualTo(200);
    assertThat(server.get("/metrics").statusCode()).isEqualTo(404);
  }
}
