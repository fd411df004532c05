package dev.chatflow.lab.attack;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Predicate;

/** A connection to a port of this machine, of which every byte is chosen. Belongs to one thread. */
final class Wire implements Closeable {
  static final int TEXT = 0x81;
  static final int TEXT_BEGUN = 0x01;
  static final int CONTINUED = 0x00;
  static final int LAST = 0x80;

  static final int PING = 0x89;

  /** The end without a close frame. */
  static final int ABNORMAL = 1006;

  private static final int CLOSE = 0x8;
  private static final int PATIENCE_MILLIS = 60_000; // ends a hang, judges nothing
  private static final byte[] NOTHING = {};

  /** An answer to a request: status, all lines above the body in small letters, and the body. */
  record Answer(int status, String head, String body) {}

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final OutputStream out;

  Wire(int port) throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** The request for an upgrade, with further lines. */
  static String upgrade(String room, String... lines) {
    return "GET /chat/"
        + room
        + " HTTP/1.1\r\n"
        + headers("Host: localhost", lines)
        + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  }

  /** A request with a body. */
  static String request(String method, String path, String body, String... lines) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\n"
        + headers("Host: localhost", lines)
        + "Content-Type: application/json\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  /** The lines, behind this one unless they have their own of its name. */
  private static String headers(String usual, String... lines) {
    String name = usual.substring(0, usual.indexOf(':') + 1);
    StringBuilder all = new StringBuilder();
    boolean own = false;
    for (String line : lines) {
      own |= line.startsWith(name);
      all.append(line).append("\r\n");
    }
    return own ? all.toString() : usual + "\r\n" + all;
  }

  /** Asks once, on a connection of its own. */
  static Answer ask(int port, String request) throws IOException {
    try (Wire wire = new Wire(port)) {
      wire.write(request);
      return wire.answer();
    }
  }

  /** Connects and upgrades. */
  static Wire joined(int port, String room, int user) throws IOException {
    Wire wire = open(port, room);
    wire.join(user);
    return wire;
  }

  /** Joins and waits for the own JOIN. */
  void join(int user) throws IOException {
    String id = "join-" + user;
    send(message("JOIN", user, "", id));
    await(frame ->
        frame.contains("\"JOIN\"") && frame.contains(id) && frame.contains("\"status\":200"));
  }

  /** Connects and upgrades, with further lines. */
  static Wire open(int port, String room, String... lines) throws IOException {
    Wire wire = new Wire(port);
    wire.write(upgrade(room, lines));
    Answer answer = wire.head();
    if (answer.status() != 101) {
      wire.close();
      throw new IOException("no upgrade: " + answer.head());
    }
    return wire;
  }

  static String message(String type, int user, String text, String id) {
    return "{\"messageType\":\"%s\",\"userId\":\"%d\",\"username\":\"user%d\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00Z\",\"messageId\":\"%s\"}"
        .formatted(type, user, user, text, id);
  }

  /** Whether the server ends the connection until then, as {@link System#nanoTime} has it. */
  boolean isEndedBefore(long endNanos) throws IOException {
    long millis = Math.max(1, (endNanos - System.nanoTime()) / 1_000_000);
    socket.setSoTimeout((int) millis);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (SocketException _) {
      return true; // reset
    }
  }

  void write(String bytes) throws IOException {
    out.write(bytes.getBytes(StandardCharsets.UTF_8));
  }

  void send(String text) throws IOException {
    out.write(frame(TEXT, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Writes the same frame so often; true when the server did not take all. */
  boolean repeat(int times, int first, String payload) throws IOException {
    byte[] one = frame(first, payload.getBytes(StandardCharsets.UTF_8));
    try {
      for (int i = 0; i < times; i++) {
        out.write(one);
      }
      return false;
    } catch (SocketException _) {
      return true;
    }
  }

  /** Sends a ping and waits for its answer. */
  void ping(String text) throws IOException {
    out.write(frame(PING, text.getBytes(StandardCharsets.UTF_8)));
    await(text::equals);
  }

  private static byte[] frame(int first, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
    frame.put((byte) first);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    }
    frame.putInt(0).put(payload);
    byte[] bytes = new byte[frame.position()];
    frame.flip().get(bytes);
    return bytes;
  }

  /** The next answer, with its body if it says how long that is. */
  Answer answer() throws IOException {
    Answer head = head();
    String length = "\r\ncontent-length: ";
    int at = head.head().indexOf(length);
    if (at < 0) {
      return head;
    }
    int from = at + length.length();
    int bytes = Integer.parseInt(head.head().substring(from, head.head().indexOf('\r', from)));
    String body = new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    return new Answer(head.status(), head.head(), body);
  }

  private Answer head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no answer: " + head);
      }
      head.append((char) next);
    }
    int status = Integer.parseInt(head.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    return new Answer(status, head.toString().toLowerCase(Locale.ROOT), "");
  }

  /** The next text that fits; fails when the connection ends before it. */
  String await(Predicate<String> wanted) throws IOException {
    while (true) {
      int first = in.readUnsignedByte();
      String payload = payload();
      if ((first & 0xf) == CLOSE) {
        throw new EOFException("closed: " + payload);
      }
      if (wanted.test(payload)) {
        return payload;
      }
    }
  }

  /**
   * Reads all that comes until the server closes.
   *
   * @return its close code, {@value #ABNORMAL} without
   */
  int awaitClose() throws IOException {
    try {
      while (true) {
        int first = in.readUnsignedByte();
        if ((first & 0xf) == CLOSE) {
          in.readUnsignedByte();
          return in.readUnsignedShort();
        }
        payload();
      }
    } catch (EOFException | SocketException _) {
      return ABNORMAL;
    }
  }

  private String payload() throws IOException {
    int length = in.readUnsignedByte() & 0x7f;
    if (length == 126) {
      length = in.readUnsignedShort();
    }
    byte[] bytes = length == 0 ? NOTHING : in.readNBytes(length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
